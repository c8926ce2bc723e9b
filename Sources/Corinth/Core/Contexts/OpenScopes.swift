// SPDX-License-Identifier: MIT

internal import Synchronization

/// Counts the request scopes below one container, and keeps out new ones during a drain.
///
/// A container has scopes on all threads: a striped counter counts them. A request scope has few
/// scopes below, and may live for microseconds only: one word counts them.
///
/// Invariants
///  1. A scope is counted before it is visible to anybody else, and again after its close or drop.
///  2. A scope counted as open during a drain was counted before the drain, or is nested in a scope
///     counted before: a count of zero is final.
///  3. A new scope is counted before it reads the mark; a drain sets the mark before it reads the
///     count. So no scope is both admitted and missed, and the last one to close wakes the waiters.
struct OpenScopes: ~Copyable, Sendable {
  let ofContainer = StripedCounter()
  private let ofScope = VisitorCount()
  /// Bits: see below.
  private let marks = Atomic<UInt8>(0)

  private static var draining: UInt8 { 1 }
  private static var tracked: UInt8 { 2 }

  /// Counts a new scope.
  ///
  /// - Parameter isScope: whether the container is a scope; the same in all calls.
  /// - Returns: whether the container lets new scopes in.
  @inline(__always)
  func open(isScope: Bool) -> Bool {
    if isScope { return ofScope.enter() }
    ofContainer.begin()
    // Invariant 3: after the barrier in `begin`.
    return !isDraining
  }

  /// Counts the end of a scope.
  ///
  /// - Returns: whether to wake callers that wait for the last scope.
  @inline(__always)
  func close(isScope: Bool) -> Bool {
    if isScope { return ofScope.leave() }
    ofContainer.end()
    return isDraining
  }

  /// Whether all counts are as in a new scope. Only for a caller without concurrent users.
  var isUnused: Bool { ofScope.isUnused && !isDraining }

  /// Keeps new scopes out from now on.
  func drain(isScope: Bool) {
    marks.bitwiseOr(Self.draining, ordering: .sequentiallyConsistent)
    if isScope { _ = ofScope.close() } else { StripedCounter.passBarrier() }
  }

  /// Whether new scopes are kept out.
  var isDraining: Bool { marks.load(ordering: .sequentiallyConsistent) & Self.draining != 0 }

  /// Whether the container is a tracked scope.
  var isTracked: Bool { marks.load(ordering: .relaxed) & Self.tracked != 0 }

  /// Whether the container drains or is tracked, in a single load for the end of the container.
  var isMarked: Bool { marks.load(ordering: .sequentiallyConsistent) != 0 }

  func markTracked() {
    marks.bitwiseOr(Self.tracked, ordering: .relaxed)
  }

  /// How many are open. Never too few after ``drain(isScope:)``.
  func count(isScope: Bool) -> Int {
    isScope ? ofScope.visitors : ofContainer.unfinished
  }
}
