// SPDX-License-Identifier: MIT

internal import Synchronization

/// Counts the request scopes below one container, and keeps new ones out while it drains.
///
/// A container has scopes on all threads: they are counted in stripes. A request scope has few below it, and may itself
/// live for microseconds only: one word counts them.
///
/// Invariants
///  1. A scope is counted before anybody else knows of it, and once more when it has closed, or has been dropped.
///  2. A scope that is counted as open while the container drains was counted before that, or is nested in one that
///     was: once there is none, there will be none.
///  3. A new scope is counted before it reads its mark; a drain sets the mark before it reads the count. So no
///     scope is both admitted and missed, and the last scope to close wakes the waiters.
struct OpenScopes: ~Copyable, Sendable {
  let ofContainer = StripedCounter()
  private let ofScope = VisitorCount()
  /// Bits: see below.
  private let marks = Atomic<UInt8>(0)

  private static var draining: UInt8 { 1 }
  private static var tracked: UInt8 { 2 }

  /// Counts a new scope.
  ///
  /// - Parameter isScope: whether the container is one itself; the same in all calls.
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
  /// - Returns: whether those who wait for the last one are to be told.
  @inline(__always)
  func close(isScope: Bool) -> Bool {
    if isScope { return ofScope.leave() }
    ofContainer.end()
    return isDraining
  }

  /// Whether it is as that of a new scope. Only for a caller that nobody else shares it with.
  var isUnused: Bool { ofScope.isUnused && !isDraining }

  /// Keeps new scopes out from now on.
  func drain(isScope: Bool) {
    marks.bitwiseOr(Self.draining, ordering: .sequentiallyConsistent)
    if isScope { _ = ofScope.close() } else { StripedCounter.passBarrier() }
  }

  /// Whether new scopes are kept out.
  var isDraining: Bool { marks.load(ordering: .sequentiallyConsistent) & Self.draining != 0 }

  /// Whether its container is a scope that is tracked.
  var isTracked: Bool { marks.load(ordering: .relaxed) & Self.tracked != 0 }

  /// Whether its container drains, or is tracked: one look for both at its end.
  var isMarked: Bool { marks.load(ordering: .sequentiallyConsistent) != 0 }

  func markTracked() {
    marks.bitwiseOr(Self.tracked, ordering: .relaxed)
  }

  /// How many are open. Never too few after ``drain(isScope:)``.
  func count(isScope: Bool) -> Int {
    isScope ? ofScope.visitors : ofContainer.unfinished
  }
}
