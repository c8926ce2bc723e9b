// SPDX-License-Identifier: MIT

import Synchronization

/// An instance that refers to a further companion, and that an afterInit action completes.
open class Companion: Tracked, @unchecked Sendable {
  // SAFETY: only written by the factory and the afterInit actions, which run one after the other
  // and before other threads see the instance; ThreadSanitizer reports a violation.
  public var other: Companion?
  private let completed = Atomic<Bool>(false)

  public init(_ tracker: LifetimeTracker, _ other: Companion? = nil) {
    self.other = other
    super.init(tracker)
  }

  /// The last thing that the last action does.
  public func complete() {
    completed.store(true, ordering: .relaxed)
  }

  public var isComplete: Bool { completed.load(ordering: .relaxed) }

  /// The instance, the instance that it refers to, and so on, until an instance comes again.
  public var circle: [Companion] {
    var found: [Companion] = []
    var next: Companion? = self
    while let companion = next, !found.contains(where: { $0 === companion }) {
      found.append(companion)
      next = companion.other
    }
    return found
  }

  /// Takes a circle apart, which would otherwise never be deinitialized.
  public func part() {
    for companion in circle { companion.other = nil }
  }
}

/// A separate type for each key.
public final class CompanionOf<Tag>: Companion, @unchecked Sendable {}
