// SPDX-License-Identifier: MIT

internal import Synchronization

/// Instances by their keys: a table that only grows, until it is sealed. Lock-free.
///
/// A list leads through all entries, the newest first. The entries are also the nodes of a trie
/// with four branches each, through which the bits of a key's hash lead, two a level: a search
/// among *n* entries looks at some log4 *n* of them, and a table takes no memory but theirs.
/// Entries whose keys have one hash follow one another.
///
/// Invariants
///  1. `newest` owns one reference to the first entry of the list, each entry one to the next. Its
///     lowest bit says that the table is sealed: nothing is listed any more.
///  2. The last entry of the list is the root of the trie. `root` leads to it once there is
///     another.
///  3. A branch changes once, from 0 to an entry, by compare-and-exchange. So there is one entry in
///     the trie for each key, and the entries above it never change.
///  4. An entry is listed before it is put into the trie: the list of a sealed table has all
///     entries that are ever used. An entry that lost its place to another thread's entry stays in
///     the list, unused.
struct InstanceTable: ~Copyable, Sendable {
  private let newest = Atomic<UInt>(0)
  private let root = Atomic<UInt>(0)

  private static var sealed: UInt { 1 }

  /// The first entry on the path of a key that may have that key: it has if its values are equal,
  /// too.
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
  /// - Parameter last: an entry of an earlier search, which has other values: the search goes on
  ///   below it.
  @inline(__always)
  func find(
    hash: UInt64, below last: StoredInstance? = nil, where predicate: (StoredInstance) -> Bool
  ) -> Unmanaged<StoredInstance>? {
    var found = last.map { $0.branch(at: $0.path) } ?? oldest
    var path = last.map { $0.path << 2 } ?? hash
    // At +0: entries live as long as the table, and counting references would take most of the
    // time.
    while found != 0 {
      let entry = unsafe Self.entry(found)
      if unsafe entry._withUnsafeGuaranteedRef(predicate) { return unsafe entry }
      found = unsafe entry._withUnsafeGuaranteedRef { $0.branch(at: path) }
      path <<= 2
    }
    return nil
  }

  /// As ``find(_:)``, and makes an entry when there is none; `nil` if the table is sealed
  /// then.
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

  /// As ``find(hash:below:where:)``, and lists what `make` returns when there is none; `nil` if the table is sealed then.
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

  /// The entry of a key, made on first use; `nil` when there is none and the table is sealed.
  ///
  /// Runs the `==` of the arguments.
  func entry(of key: borrowing EntryKey) -> StoredInstance? {
    var found = find(key)
    if let found, key.hasValues(of: found.key) { return found }
    while let (entry, isNew) = findOrMake(key, payload: nil, below: found) {
      if isNew || key.hasValues(of: entry.key) { return entry }
      found = entry
    }
    return nil
  }

  /// Whether no entry is made any more.
  var isSealed: Bool { newest.load(ordering: .acquiring) & Self.sealed != 0 }

  /// Another number after each new entry, and once the table is sealed.
  // An address, which is not used again while the table has the entry.
  var version: UInt { newest.load(ordering: .acquiring) }

  /// Whether there are no entries. Final once the table is sealed.
  var isEmpty: Bool { newest.load(ordering: .acquiring) & ~Self.sealed == 0 }

  /// Whether it has no entries, and may have some.
  var isUnused: Bool { newest.load(ordering: .relaxed) == 0 }

  /// Keeps new entries out.
  func seal() {
    newest.bitwiseOr(Self.sealed, ordering: .acquiringAndReleasing)
  }

  /// Ends that, in an empty one that nobody else uses.
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

  /// Seals the table and releases its entries. No other call may be running or follow.
  ///
  /// One after the other: each releasing the next would nest as deeply as the list is long.
  func releaseEntries() {
    var next = newest.exchange(Self.sealed, ordering: .acquiringAndReleasing) & ~Self.sealed
    while next != 0 {
      let entry = unsafe Self.entry(next)
      next = unsafe entry._withUnsafeGuaranteedRef { $0.next }
      unsafe entry.release()
    }
  }

  /// A new entry, in the list and not yet in the trie, unless it is the first one; `nil` when the
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
      // Invariant 2. All threads store the same.
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
    // SAFETY: addresses in the list and the trie are those of entries, which live until they are
    // released; no other call runs then.
    unsafe Unmanaged.fromOpaque(UnsafeRawPointer(bitPattern: address).unsafelyUnwrapped)
  }

  deinit {
    releaseEntries()
  }
}
