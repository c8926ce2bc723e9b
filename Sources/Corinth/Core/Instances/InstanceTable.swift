// SPDX-License-Identifier: MIT

internal import Synchronization

/// Instances by key: a table that only grows, until sealed. Lock-free.
///
/// A list links all entries, the newest first. The entries are also the nodes of a trie with four
/// branches a node, followed by the bits of a key's hash, two a level: a search among *n* entries
/// looks at some log4 *n* of them, and a table takes no memory but the entries. Entries of keys
/// with equal hashes follow one another.
///
/// Invariants
///  1. `newest` owns one reference to the first entry of the list, and every entry one to the next.
///     The lowest bit says that the table is sealed: nothing is listed any more.
///  2. The last entry of the list is the root of the trie. `root` leads to the last entry once a
///     second entry exists.
///  3. A branch changes once, from 0 to an entry, by compare-and-exchange. So every key has one
///     entry in the trie, and the entries above it never change.
///  4. An entry is listed before being put into the trie: the list of a sealed table has all
///     entries ever used. An entry that lost its place to another thread's stays listed, unused.
struct InstanceTable: ~Copyable, Sendable {
  private let newest = Atomic<UInt>(0)
  private let root = Atomic<UInt>(0)

  private static var sealed: UInt { 1 }

  /// The first entry on the path of a key that may have the key: has it if the values are equal.
  ///
  /// Runs no user code, as ``findOrMake(_:payload:below:)``.
  ///
  /// - Complexity: O(log *n*) in the number of entries, base 4.
  @inline(__always)
  func find(_ key: borrowing EntryKey) -> StoredInstance? {
    unsafe find(hash: key.hash) { $0.key.mayEqual(key) }?.takeUnretainedValue()
  }

  /// The first entry on the path of a hash that satisfies `predicate`, at +0.
  ///
  /// - Parameter last: an entry of an earlier search, of other values: the search goes on below it.
  @inline(__always)
  func find(
    hash: UInt64, below last: StoredInstance? = nil, where predicate: (StoredInstance) -> Bool
  ) -> Unmanaged<StoredInstance>? {
    var found = last.map { $0.branch(at: $0.path) } ?? oldest
    var path = last.map { $0.path << 2 } ?? hash
    // At +0: entries live as long as the table, and counting would take most of the time.
    while found != 0 {
      let entry = unsafe Self.entry(found)
      if unsafe entry._withUnsafeGuaranteedRef(predicate) { return unsafe entry }
      found = unsafe entry._withUnsafeGuaranteedRef { $0.branch(at: path) }
      path <<= 2
    }
    return nil
  }

  /// As ``find(_:)``, or else makes an entry; `nil` if the table is sealed and has none.
  ///
  /// - Parameter payload: kept alive by an entry that is made.
  func findOrMake(
    _ key: borrowing EntryKey, payload: AnyObject?, below last: StoredInstance? = nil
  ) -> (entry: StoredInstance, isNew: Bool)? {
    findOrMake(hash: key.hash, below: last) {
      $0.key.mayEqual(key)
    } orMake: {
      StoredInstance(key, payload: payload)
    }
  }

  /// As ``find(hash:below:where:)``, or else lists the result of `make`; `nil` if the table is
  /// sealed and has none.
  @inline(__always)
  func findOrMake(
    hash: UInt64, below last: StoredInstance?, where predicate: (StoredInstance) -> Bool,
    orMake make: () -> StoredInstance
  ) -> (entry: StoredInstance, isNew: Bool)? {
    var made: StoredInstance?
    if oldest == 0 {
      guard let entry = list(make) else { return nil }
      // Invariant 2.
      if entry.next == 0 { return (entry, true) }
      made = entry
    }
    var parent = unsafe last.map { unsafe Unmanaged.passUnretained($0) } ?? Self.entry(oldest)
    var path = last?.path ?? hash
    if last == nil, unsafe parent._withUnsafeGuaranteedRef(predicate) {
      return unsafe (parent.takeUnretainedValue(), false)
    }
    while true {
      var found = unsafe parent._withUnsafeGuaranteedRef { $0.branch(at: path) }
      if found == 0 {
        guard let entry = made ?? list(make) else { return nil }
        made = entry
        entry.path = path << 2
        found = unsafe parent._withUnsafeGuaranteedRef { $0.grow(Self.address(entry), at: path) }
        if found == 0 { return (entry, true) }
      }
      unsafe parent = Self.entry(found)
      path <<= 2
      if unsafe parent._withUnsafeGuaranteedRef(predicate) {
        return unsafe (parent.takeUnretainedValue(), false)
      }
    }
  }

  /// Whether no entry is made any more.
  var isSealed: Bool { newest.load(ordering: .acquiring) & Self.sealed != 0 }

  /// A version number: changes with every new entry, and when the table is sealed.
  // An address, not reused while the table has the entry.
  var version: UInt { newest.load(ordering: .acquiring) }

  /// Whether there are no entries. Final once the table is sealed.
  var isEmpty: Bool { newest.load(ordering: .acquiring) & ~Self.sealed == 0 }

  /// Whether the table has no entries, and is not sealed.
  var isUnused: Bool { newest.load(ordering: .relaxed) == 0 }

  /// Keeps new entries out.
  func seal() {
    newest.bitwiseOr(Self.sealed, ordering: .acquiringAndReleasing)
  }

  /// Unseals an empty table without concurrent users.
  func reopen() { newest.store(0, ordering: .relaxed) }

  /// Calls `body` with each entry, the newest first.
  func forEachEntry(_ body: (StoredInstance) -> Void) {
    // Pairs with the release half of the exchange in `list`.
    var next = newest.load(ordering: .acquiring) & ~Self.sealed
    while next != 0 {
      let entry = unsafe Self.entry(next).takeUnretainedValue()
      body(entry)
      next = entry.next
    }
  }

  /// Seals the table and releases the entries. No other call may run concurrently or follow.
  ///
  /// One by one: an entry that released the next would nest calls as deeply as the list is long.
  func releaseEntries() {
    var next = newest.exchange(Self.sealed, ordering: .acquiringAndReleasing) & ~Self.sealed
    while next != 0 {
      let entry = unsafe Self.entry(next)
      next = unsafe entry._withUnsafeGuaranteedRef { $0.next }
      unsafe entry.release()
    }
  }

  /// A new entry, in the list and not yet in the trie, unless the entry is the first; `nil` if the
  /// table is sealed.
  @inline(__always)
  private func list(_ make: () -> StoredInstance) -> StoredInstance? {
    if isSealed { return nil }
    return list(make())
  }

  private func list(_ entry: StoredInstance) -> StoredInstance? {
    var head = newest.load(ordering: .acquiring)
    let reference = unsafe Unmanaged.passRetained(entry)
    while head & Self.sealed == 0 {
      // Invariant 2. All threads store the same address.
      if head != 0, unsafe Self.entry(head)._withUnsafeGuaranteedRef({ $0.next == 0 }) {
        root.store(head, ordering: .relaxed)
      }
      entry.next = head
      let (exchanged, found) = newest.compareExchange(
        expected: head, desired: Self.address(entry), ordering: .acquiringAndReleasing)
      if exchanged { return entry }
      head = found
    }
    unsafe reference.release()
    return nil
  }

  /// The root of the trie, 0 for none.
  private var oldest: UInt {
    // Pairs with the release half of the exchange in `list`, which the store to `root` precedes.
    let head = newest.load(ordering: .acquiring) & ~Self.sealed
    if head == 0 { return 0 }
    let isOnly = unsafe Self.entry(head)._withUnsafeGuaranteedRef { $0.next == 0 }
    return isOnly ? head : root.load(ordering: .relaxed)
  }

  private static func address(_ entry: StoredInstance) -> UInt {
    unsafe UInt(bitPattern: Unmanaged.passUnretained(entry).toOpaque())
  }

  private static func entry(_ address: UInt) -> Unmanaged<StoredInstance> {
    // SAFETY: addresses in the list and the trie are addresses of entries, which live until
    // released; no call runs at that point.
    unsafe Unmanaged.fromOpaque(UnsafeRawPointer(bitPattern: address).unsafelyUnwrapped)
  }

  deinit {
    releaseEntries()
  }
}
