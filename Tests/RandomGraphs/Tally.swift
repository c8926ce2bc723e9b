// SPDX-License-Identifier: MIT

import Synchronization

/// The events of one service in one container. The counters are relaxed: they order nothing, and hide no race from
/// ThreadSanitizer.
final class Tally: Sendable {
  enum Event: Int, CaseIterable {
    /// A factory began.
    case run
    /// A factory returned a product.
    case returned
    /// An action let a cycle error out.
    case stopped
    /// A factory or an action failed as described.
    case failed
    /// A factory or an action let the error of a dependency out.
    case letCycleOut, letCancellationOut, letClosedOut, letAsyncOut, letAbandonedOut, letOtherOut
  }

  private let counts: [Count] = Event.allCases.map { _ in Count() }

  private final class Count: Sendable {
    let value = Atomic(0)
  }

  @discardableResult
  func add(_ event: Event) -> Int {
    counts[event.rawValue].value.add(1, ordering: .relaxed).newValue
  }

  /// Whether a construction of the service may have ended without an instance.
  var hasFailed: Bool {
    self[.failed] + self[.letCycleOut] + self[.letCancellationOut] + self[.letClosedOut]
      + self[.letAsyncOut] + self[.letAbandonedOut] + self[.letOtherOut] > 0
  }

  subscript(_ event: Event) -> Int {
    counts[event.rawValue].value.load(ordering: .relaxed)
  }
}
