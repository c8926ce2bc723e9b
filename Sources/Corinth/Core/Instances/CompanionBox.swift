// SPDX-License-Identifier: MIT

/// The boxes attached to an instance's box: of the undecorated instance, and for further keys.
///
/// A list with an element for every key, which grows at its end. Different decorators replace an
/// element's content: all readers see the decorators change in one order, and one content remains.
final class CompanionBox: Sendable {
  /// The further key that serves the instance; `nil` for the undecorated instance.
  private let key: RegistrationKey?
  /// The instance with the decorators of one moment.
  private let current = ReplaceableReference<Shared<Decorated>>()
  private let next = MadeOnce<CompanionBox>()

  /// The decorators of a further key that serves the instance.
  struct Purpose: Sendable {
    let key: RegistrationKey
    var decorators: [any AnyObject & Sendable]
  }

  private typealias Decorated = (box: AnyInstanceBox, decorators: [any AnyObject & Sendable])

  private init(_ key: RegistrationKey?) {
    self.key = key
  }

  /// The companion for a purpose in a list; `nil` for none.
  static func find(
    _ purpose: Purpose?, in list: borrowing MadeOnce<CompanionBox>
  ) -> AnyInstanceBox? {
    guard var next = list.load() else { return nil }
    while next.key != purpose?.key {
      guard let following = next.next.load() else { return nil }
      next = following
    }
    return next.box(for: purpose)
  }

  /// Adds a companion to a list, unless the purpose has one.
  ///
  /// - Returns: the companion in the list.
  static func add(
    _ box: AnyInstanceBox, for purpose: Purpose?, to list: borrowing MadeOnce<CompanionBox>
  ) -> AnyInstanceBox {
    let made = CompanionBox(purpose?.key)
    var companion = list.storeIfNil(made)
    while companion.key != purpose?.key { companion = companion.next.storeIfNil(made) }
    return companion.store(box, for: purpose)
  }

  /// - Returns: the box already stored for the purpose by a second thread, or else `box`.
  private func store(_ box: AnyInstanceBox, for purpose: Purpose?) -> AnyInstanceBox {
    let own = Shared<Decorated>((box, purpose?.decorators ?? []))
    current.update { present in
      if let present, Self.isDecorated(present.value, for: purpose) { return present }
      return own
    }
    return self.box(for: purpose) ?? box
  }

  /// `nil` if the decorators differ.
  private func box(for purpose: Purpose?) -> AnyInstanceBox? {
    current.load().flatMap { Self.isDecorated($0.value, for: purpose) ? $0.value.box : nil }
  }

  private static func isDecorated(_ present: Decorated, for purpose: Purpose?) -> Bool {
    present.decorators.elementsEqual(purpose?.decorators ?? [], by: ===)
  }
}

extension AnyInstanceBox {
  /// The box of the instance as built by the factory, for the registration's actions and disposers.
  var undecorated: AnyInstanceBox {
    CompanionBox.find(nil, in: companion) ?? self
  }

  /// The type of the instance as built by the factory; `nil` if only a decorated instance is left.
  ///
  /// - Parameter isDecorated: whether decorators have wrapped the instance, or may have.
  func typeFromFactory(isDecorated: Bool) -> (any Any.Type)? {
    let undecorated = undecorated
    return isDecorated && undecorated === self ? nil : type(of: undecorated.product)
  }

  /// Notes the undecorated box of a decorated instance.
  func noteUndecorated(_ box: AnyInstanceBox) {
    _ = CompanionBox.add(box, for: nil, to: companion)
  }
}
