// SPDX-License-Identifier: MIT

internal import Synchronization

/// Counts the threads inside a shared structure: after the end, the last to leave releases it.
///
/// A count in one word. Invariants
///  1. The lowest bit says that the structure is closed: a thread that enters then must not use it.
///  2. Bits 1 to 31 count the threads inside.
///  3. Bits 32 to 63 are the number of forks before the threads entered. A count from before a fork
///     counts threads missing in the child, and starts again at 0 in the child. The forking thread
///     is not among the threads, as user code never runs inside.
struct VisitorCount: ~Copyable, Sendable {
  private let word = Atomic<UInt64>(0)

  private static var closed: UInt64 { 1 }
  private static var visitor: UInt64 { 2 }
  private static var generationShift: UInt64 { 32 }

  /// Enters, until ``leave()``, which has to follow in any case.
  ///
  /// - Returns: `false` after ``close()``.
  @inline(__always)
  func enter() -> Bool {
    // Pairs with the release half of `close` and `leave`.
    var found = word.wrappingAdd(Self.visitor, ordering: .acquiringAndReleasing).newValue
    if found >> Self.generationShift != Self.generation { found = enterAfterFork() }
    return found & Self.closed == 0
  }

  /// Ends a visit.
  ///
  /// - Returns: whether the caller has to release the structure.
  func leave() -> Bool {
    // Pairs with the exchanges of further visitors: their last use comes before the release.
    let left = word.wrappingSubtract(Self.visitor, ordering: .acquiringAndReleasing).newValue
    return UInt32(truncatingIfNeeded: left) == Self.closed
  }

  /// Keeps further threads out.
  ///
  /// - Returns: whether the caller has to release the structure: no thread is inside.
  func close() -> Bool {
    let found = change { $0 | Self.closed }
    return UInt32(truncatingIfNeeded: found) == Self.closed
  }

  /// Whether the count is open, without visitors. Only for a caller without concurrent users.
  var isUnused: Bool { UInt32(truncatingIfNeeded: word.load(ordering: .relaxed)) == 0 }

  /// The number of visitors inside.
  var visitors: Int {
    let found = word.load(ordering: .acquiring)
    guard found >> Self.generationShift == Self.generation else { return 0 }
    return Int(UInt32(truncatingIfNeeded: found) / UInt32(Self.visitor))
  }

  /// Enters again: the reset of the pre-fork count also discarded this visitor.
  @inline(never)
  private func enterAfterFork() -> UInt64 {
    change { $0 &+ Self.visitor }
  }

  /// Changes the word, without the threads that a fork lost.
  ///
  /// - Returns: the new word.
  private func change(_ body: (UInt64) -> UInt64) -> UInt64 {
    var found = word.load(ordering: .relaxed)
    while true {
      let isCurrent = found >> Self.generationShift == Self.generation
      let current =
        isCurrent ? found : Self.generation << Self.generationShift | found & Self.closed
      let desired = body(current)
      // Pairs with `enter` and `leave`.
      let (exchanged, other) = word.compareExchange(
        expected: found, desired: desired, ordering: .acquiringAndReleasing)
      if exchanged { return desired }
      found = other
    }
  }

  private static var generation: UInt64 { UInt64(ForkHandlers.generation) }
}
