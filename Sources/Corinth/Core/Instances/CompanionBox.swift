// SPDX-License-Identifier: MIT

/// The boxes that belong to another one: the instance without its decorators, or with those of other keys that serve it.
///
/// A list with one element for each key, which grows at its end. What an element holds is replaced when other decorators
/// are asked for: a container's decorators are changed by all readers one after the other, so that there is one in the end.
final class CompanionBox: Sendable {
  /// The key that serves the instance too; `nil` for the instance without its decorators.
  private let key: RegistrationKey?
  /// The instance with the decorators of one moment.
  private let current = ReplaceableReference<Shared<Decorated>>()
  private let next = MadeOnce<CompanionBox>()

  /// The decorators of another key that serves the same instance.
  struct Purpose: Sendable {
    let key: RegistrationKey
    var decorators: [any AnyObject & Sendable]
  }

  private typealias Decorated = (box: AnyInstanceBox, decorators: [any AnyObject & Sendable])

  private init(_ key: RegistrationKey?) {
    self.key = key
  }

  /// The companion in a list for a purpose, `nil` if there is none.
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

  /// Adds a companion to a list, unless there is one for the same purpose.
  ///
  /// - Returns: the one in the list.
  static func add(
    _ box: AnyInstanceBox, for purpose: Purpose?, to list: borrowing MadeOnce<CompanionBox>
  ) -> AnyInstanceBox {
    let made = CompanionBox(purpose?.key)
    var companion = list.storeIfNil(made)
    while companion.key != purpose?.key { companion = companion.next.storeIfNil(made) }
    return companion.store(box, for: purpose)
  }

  /// - Returns: what another thread has stored for the same purpose, or else this.
  private func store(_ box: AnyInstanceBox, for purpose: Purpose?) -> AnyInstanceBox {
    let own = Shared<Decorated>((box, purpose?.decorators ?? []))
    current.update { present in
      if let present, Self.isDecorated(present.value, for: purpose) { return present }
      return own
    }
    return self.box(for: purpose) ?? box
  }

  /// `nil` if the decorators are others.
  private func box(for purpose: Purpose?) -> AnyInstanceBox? {
    current.load().flatMap { Self.isDecorated($0.value, for: purpose) ? $0.value.box : nil }
  }

  private static func isDecorated(_ present: Decorated, for purpose: Purpose?) -> Bool {
    present.decorators.elementsEqual(purpose?.decorators ?? [], by: ===)
  }
}

extension AnyInstanceBox {
  /// The box of the instance as its factory has made it, which is what its own actions and disposers get.
  var undecorated: AnyInstanceBox {
    CompanionBox.find(nil, in: companion) ?? self
  }

  /// The type of the instance as the factory has made it; `nil` if only the decorated instance is left.
  ///
  /// - Parameter isDecorated: whether decorators have wrapped the instance, or may have.
  func typeFromFactory(isDecorated: Bool) -> (any Any.Type)? {
    let undecorated = undecorated
    return isDecorated && undecorated === self ? nil : type(of: undecorated.product)
  }

  /// Notes the box of the instance that this one decorates.
  func noteUndecorated(_ box: AnyInstanceBox) {
    _ = CompanionBox.add(box, for: nil, to: companion)
  }
}
