// SPDX-License-Identifier: MIT

internal import Synchronization

/// How an instance was released during the construction.
enum ReleaseMark: UInt8 {
  /// A releasing call answers for the instance.
  case taken = 1
  /// The end of the construction reports the instance as undisposed.
  case dropped
}

/// The state of the instance for one value of the arguments.
///
/// The life of an entry
///  1. A resolve that finds no entry for the value adds an entry to the current table.
///  2. A new table gets every entry of the old table that is neither sealed nor being released.
///     Dead entries, without an instance or with an instance that no resolve could get, are sealed
///     first, by an exchange against the very word that was found dead. A resolve that builds in
///     the entry comes before the exchange, and the entry stays; or after, and looks for the entry
///     of the value again.
///  3. An entry whose value is released during a construction is left out unsealed, and marked
///     afterwards. A construction that begins in the entry before the mark is of a resolve that
///     overlaps the release, which includes the instance. A marked entry is as good as sealed.
///  4. One of several releases gets the instance. A release that meets the construction marks the
///     entry, then reads the state again: a construction still under way is the release's. A
///     release that meets the instance reads the mark afterwards: with the mark of another release,
///     the instance is the other release's. Without a mark, a later marking release finds the
///     instance built, and the seal decides between the two releases. The release that marked an
///     empty entry seals the entry, as a resolve may have missed the mark.
///  5. The current table owns a reference to each entry, and a former table to each entry that no
///     later table has: the instances go with the current table. A construction, a wait or a
///     closing has a reference to the entry in use.
// SAFETY: see the superclass; the other properties are constant or atomic.
final class ArgumentEntry: InstanceState, @unchecked Sendable {
  let arguments: AnyArguments
  /// A part of the arguments' hash, so that a search reads nothing else of most entries.
  let hash: UInt32
  /// The place in the order of the entries' beginnings.
  let number: UInt32
  /// The ``ReleaseMark``, 0 for none.
  private let mark = Atomic<UInt8>(0)

  init(_ arguments: AnyArguments, number: Int) {
    self.arguments = arguments
    self.number = UInt32(truncatingIfNeeded: number)
    hash = UInt32(truncatingIfNeeded: arguments.hash)
    super.init()
  }

  /// Sequentially consistent: see ``InstanceState/claimEnd()``.
  override var release: ReleaseMark? {
    ReleaseMark(rawValue: mark.load(ordering: .sequentiallyConsistent))
  }

  /// Marks the entry, which has left the table, as taken.
  ///
  /// - Returns: `false` if a concurrent release has come first.
  func noteRelease() -> Bool {
    mark.compareExchange(
      expected: 0, desired: ReleaseMark.taken.rawValue, ordering: .sequentiallyConsistent
    ).exchanged
  }

  /// Leaves the report of the instance to the end of the construction. Called after
  /// ``noteRelease()``, with a construction under way.
  func noteDrop() {
    mark.store(ReleaseMark.dropped.rawValue, ordering: .sequentiallyConsistent)
  }

  deinit { HeldLocks.assertNone(ArgumentEntry.self) }
}
