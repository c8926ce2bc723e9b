// SPDX-License-Identifier: MIT

/// The boxes that belong to another one: the instance without its decorators, or with those of other keys that serve it.
///
/// A list with one element for each key, which grows at its end. What an element holds is replaced when other decorators
/// are asked for: a container's decorators are changed by all readers one after the other, so that there is one in the end.
final class CompanionBox: Sendable {
  /// The key that serves the instance too; `nil` for the instance without its decorators.
  private let key: RegistrationKey?
  private let current = ReplaceableReference<DecoratedBox>()
  private let next = MadeOnce<CompanionBox>()

  /// The decorators of another key that serves the same instance.
  struct Purpose: Sendable {
    let key: RegistrationKey
    let decorators: [any AnyObject & Sendable]
  }

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
    return next.current.load()?.box(for: purpose)
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
    let own = DecoratedBox(box, decorators: purpose?.decorators ?? [])
    current.update { present in present?.box(for: purpose) == nil ? own : present ?? own }
    return current.load()?.box(for: purpose) ?? box
  }
}

/// An instance with the decorators of one moment.
private final class DecoratedBox: Sendable {
  private let box: AnyInstanceBox
  private let decorators: [any AnyObject & Sendable]

  init(_ box: AnyInstanceBox, decorators: [any AnyObject & Sendable]) {
    self.box = box
    self.decorators = decorators
  }

  /// `nil` if the decorators are others.
  func box(for purpose: CompanionBox.Purpose?) -> AnyInstanceBox? {
    decorators.elementsEqual(purpose?.decorators ?? [], by: ===) ? box : nil
  }
}

extension AnyInstanceBox {
  /// The box of the instance as its factory has made it, which is what its own actions and disposers get.
  var undecorated: AnyInstanceBox {
    CompanionBox.find(nil, in: companion) ?? self
  }

  /// Notes the box of the instance that this one decorates.
  func noteUndecorated(_ box: AnyInstanceBox) {
    _ = CompanionBox.add(box, for: nil, to: companion)
  }
}
