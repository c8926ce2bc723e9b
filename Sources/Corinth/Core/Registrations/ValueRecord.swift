// SPDX-License-Identifier: MIT

/// A registration of a value that was there before: it is ready from the start, unless actions have to run with it or
/// another scope than `.singleton` serves it.
// SAFETY: see the superclass.
final class ValueRecord: RegistrationRecord, @unchecked Sendable {
  private let box: AnyInstanceBox
  private var hasStoredValue = false

  /// - Parameter box: of the value, and nobody else's.
  init(_ attributes: consuming RegistrationAttributes, _ box: AnyInstanceBox) {
    self.box = box
    super.init(consume attributes, factoryKind: .constant)
    if lifecycle.afterInit.isEmpty, policy.isPublishedToSlot,
      !owner.decorates(key.product)
    {
      storeValue()
    }
  }

  /// Has the state hold the box. No other thread has the record yet.
  private func storeValue() {
    unsafe box.registration = Unmanaged.passUnretained(self)
    box.markCompleted(owner.nextCompletion())
    _ = exchange(with: box)
    hasStoredValue = true
  }

  /// The value, without decorators.
  var value: Any { box.product }

  override var constant: AnyInstanceBox? { hasStoredValue ? box : nil }

  override func makeCopy(_ attributes: RegistrationAttributes) -> RegistrationRecord {
    ValueRecord(attributes, box.makeCopy())
  }

  override func build(_ resolver: Resolver, _: AnyArguments?) throws -> AnyInstanceBox {
    box.makeCopy()
  }
}
