// SPDX-License-Identifier: MIT

internal import Synchronization

/// The state of one instance in an ``InstanceTable``: an entry of the list and a node of the trie.
// SAFETY: `next` is written before the entry is published in the list, and `path` before the
// publication in the trie; neither is written afterwards. All else is constant or atomic.
class StoredInstance: InstanceState, @unchecked Sendable {
  final let key: EntryKey
  /// Kept alive as long as the entry.
  final let payload: AnyObject?
  /// The entry listed before, 0 for none.
  final var next: UInt = 0
  /// The rest of the path to a key of the same hash: the upper two bits number a branch.
  final var path: UInt64
  private final let branches = Branches()

  init(_ key: borrowing EntryKey, payload: AnyObject?) {
    self.key = EntryKey(copying: key)
    self.payload = payload
    path = key.hash
  }

  deinit { HeldLocks.assertNone(StoredInstance.self) }

  /// The entry at the branch that the upper bits of a path number, 0 for none.
  final func branch(at path: UInt64) -> UInt {
    // Pairs with the release half of the exchange in `grow`.
    branches.withBranch(at: path) { $0.load(ordering: .acquiring) }
  }

  /// Publishes an entry at the branch that the upper bits of a path number.
  ///
  /// - Returns: 0, or the entry already at the branch.
  final func grow(_ entry: UInt, at path: UInt64) -> UInt {
    branches.withBranch(at: path) {
      $0.compareExchange(expected: 0, desired: entry, ordering: .acquiringAndReleasing).original
    }
  }
}

/// Four words within the entry: separate memory would cost a second allocation.
private struct Branches: ~Copyable, Sendable {
  private let first = Atomic<UInt>(0)
  private let second = Atomic<UInt>(0)
  private let third = Atomic<UInt>(0)
  private let fourth = Atomic<UInt>(0)

  @inline(__always)
  borrowing func withBranch<Result>(
    at path: UInt64, _ body: (borrowing Atomic<UInt>) -> Result
  ) -> Result {
    switch path >> 62 {
    case 0: body(first)
    case 1: body(second)
    case 2: body(third)
    default: body(fourth)
    }
  }
}
