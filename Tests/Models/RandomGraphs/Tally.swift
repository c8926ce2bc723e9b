// SPDX-License-Identifier: MIT

import Synchronization

/// The events of one service in one container. The counters are relaxed: they order nothing, and
/// hide no race from ThreadSanitizer.
final class Tally: Sendable {
  enum Event: Int, CaseIterable {
    /// A factory began.
    case run
    /// A decorator returned a product.
    case decorated
    /// A factory returned a product, which all its decorators have wrapped.
    case returned
    /// A factory or an action failed as described.
    case failed
    /// A factory let the error of a dependency out.
    case letCycleOut
    /// A factory let another error out: its own, or that of a dependency.
    case letErrorOut
    /// An action let a cycle error out: it may have been postponed.
    case letCycleOutOfAction
    /// An action let another error out, which has dropped the instance.
    case letErrorOutOfAction
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
  var hasFailed: Bool { failures + cycles > 0 }

  /// The number of constructions that have failed for another reason than a cycle.
  var failures: Int { self[.letErrorOut] + self[.letErrorOutOfAction] }

  var cycles: Int { self[.letCycleOut] + self[.letCycleOutOfAction] }

  subscript(_ event: Event) -> Int {
    counts[event.rawValue].value.load(ordering: .relaxed)
  }
}
