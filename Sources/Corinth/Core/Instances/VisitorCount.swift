// SPDX-License-Identifier: MIT

internal import CCorinth
internal import Synchronization

/// Counts the threads that are inside of something, so that the last one out lets go of it once it is closed.
///
/// One word. Invariants
///  1. Its lowest bit says that it is closed: nobody who comes now may use anything inside.
///  2. Bits 1 to 31 count the threads inside.
///  3. Bits 32 to 63 say after how many forks they were counted. In a child process, a count of its parent's is
///     one of threads that do not exist, and begins again at 0: the forking thread is not inside, as no code of
///     the user's runs there.
struct VisitorCount: ~Copyable, Sendable {
  private let word = Atomic<UInt64>(0)

  private static var closed: UInt64 { 1 }
  private static var visitor: UInt64 { 2 }
  private static var generationShift: UInt64 { 32 }

  /// Comes in, until ``leave()``, which is due whatever this returns.
  ///
  /// - Returns: whether it is open.
  @inline(__always)
  func enter() -> Bool {
    // Pairs with the release half of `close` and `leave`.
    var found = word.wrappingAdd(Self.visitor, ordering: .acquiringAndReleasing).newValue
    if found >> Self.generationShift != Self.generation { found = enterAfterFork() }
    return found & Self.closed == 0
  }

  /// Ends what ``enter()`` began.
  ///
  /// - Returns: whether the caller is the last one out, and nobody comes in any more.
  func leave() -> Bool {
    let left = word.wrappingSubtract(Self.visitor, ordering: .acquiringAndReleasing).newValue
    return UInt32(truncatingIfNeeded: left) == Self.closed
  }

  /// Keeps further threads out.
  ///
  /// - Returns: whether nobody is inside.
  func close() -> Bool {
    let found = change { $0 | Self.closed }
    return UInt32(truncatingIfNeeded: found) == Self.closed
  }

  /// What was added to a count of lost threads has been lost with it, or will be.
  private func enterAfterFork() -> UInt64 {
    change { $0 &+ Self.visitor }
  }

  /// Changes the word, a count of lost threads having been taken out of it.
  ///
  /// - Returns: the new word.
  private func change(_ body: (UInt64) -> UInt64) -> UInt64 {
    var found = word.load(ordering: .relaxed)
    while true {
      let isCurrent = found >> Self.generationShift == Self.generation
      let counted =
        isCurrent ? found : Self.generation << Self.generationShift | found & Self.closed
      let (exchanged, other) = word.compareExchange(
        expected: found, desired: body(counted), ordering: .acquiringAndReleasing)
      if exchanged { return body(counted) }
      found = other
    }
  }

  private static var generation: UInt64 { UInt64(corinth_fork_generation()) }
}
