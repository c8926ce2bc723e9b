// SPDX-License-Identifier: MIT

/// A box that belongs to another one: the instance without its decorators, or with those of another key. A list, which
/// grows at its end.
final class CompanionBox: Sendable {
  /// What the companion is for; `nil` for the instance without its decorators.
  private let purpose: Purpose?
  let box: AnyInstanceBox
  private let next = MadeOnce<CompanionBox>()

  /// The decorators of another key that serves the same instance.
  struct Purpose: Sendable {
    let key: RegistrationKey
    let decorators: [any AnyObject & Sendable]

    static func == (left: Purpose, right: Purpose) -> Bool {
      left.key == right.key && left.decorators.elementsEqual(right.decorators, by: ===)
    }
  }

  init(_ box: AnyInstanceBox, for purpose: Purpose?) {
    self.box = box
    self.purpose = purpose
  }

  private func isFor(_ purpose: Purpose?) -> Bool {
    switch (self.purpose, purpose) {
    case (nil, nil): true
    case (let own?, let other?): own == other
    default: false
    }
  }

  /// The companion in a list for a purpose, `nil` if there is none.
  static func find(
    _ purpose: Purpose?, in list: borrowing MadeOnce<CompanionBox>
  ) -> AnyInstanceBox? {
    guard var next = list.load() else { return nil }
    while !next.isFor(purpose) {
      guard let following = next.next.load() else { return nil }
      next = following
    }
    return next.box
  }

  /// Adds a companion to a list, unless there is one for the same purpose.
  ///
  /// - Returns: the one in the list.
  static func add(
    _ box: AnyInstanceBox, for purpose: Purpose?,
    to list: borrowing MadeOnce<CompanionBox>
  ) -> AnyInstanceBox {
    let added = CompanionBox(box, for: purpose)
    var present = list.storeIfNil(added)
    while present !== added, !present.isFor(purpose) { present = present.next.storeIfNil(added) }
    return present.box
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
