// SPDX-License-Identifier: MIT

/// A registration of an existing value: ready from the start, unless actions must run with the
/// value, or a scope other than `.singleton` serves it.
// SAFETY: see the superclass.
final class ValueRecord: RegistrationRecord, @unchecked Sendable {
  private let box: AnyInstanceBox

  /// - Parameter box: a box of the value, owned by the record alone.
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
  }

  override var value: Any? { box.product }

  override var constant: AnyInstanceBox? {
    let isStored =
      unsafe load().address == UInt(bitPattern: Unmanaged.passUnretained(box).toOpaque())
    return isStored ? box : nil
  }

  override func makeCopy(_ attributes: RegistrationAttributes) -> RegistrationRecord {
    ValueRecord(attributes, box.makeCopy())
  }

  override func build(_: UncountedResolver, _: AnyArguments?) throws -> AnyInstanceBox {
    box.makeCopy()
  }
}

/// Hides a registration of an ancestor: a resolve of the key finds none.
///
/// Only versions of containers have absence records. A lookup ends at the record, without a slot:
/// ``ContainerCore/explicitSlot(of:)``. A resolve from the slot throws the error of a missing key.
// SAFETY: see the superclass.
final class AbsenceRecord: RegistrationRecord, @unchecked Sendable {
  init(_ attributes: RegistrationAttributes) {
    super.init(attributes, factoryKind: .absence)
  }

  override func makeCopy(_ attributes: RegistrationAttributes) -> RegistrationRecord {
    AbsenceRecord(attributes)
  }

  override func build(
    _ resolver: UncountedResolver, _: AnyArguments?
  ) throws -> AnyInstanceBox {
    throw resolver.counted.registry.notFound(key)
  }
}
