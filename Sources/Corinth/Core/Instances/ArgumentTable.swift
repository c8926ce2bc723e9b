// SPDX-License-Identifier: MIT

internal import Synchronization

/// Some entries, found by open addressing: a search begins at a word that the hash decides, and
/// ends at the first free word.
///
/// Invariants
///  1. A word changes at most once: from 0 to `closed`, or to an entry, to which the word owns a
///     reference, until the table that replaces this one has the entry. All searches for a value
///     pass the same words; a search passes sealed entries. At most one of the entries with equal
///     arguments is not sealed.
///  2. At most `limit` words lead to entries, three quarters of the words: each search ends.
///  3. No word of a closed table changes.
// SAFETY: the memory has `capacity` atomic words, and is freed in the deinit. The thread with the
// next table sets `last`, read in the deinit. All else is constant or atomic.
@safe
final class ArgumentTable: @unchecked Sendable {
  private let words: UnsafeMutablePointer<Atomic<UInt>>
  private let capacity: Int
  /// The most entries: twice the entries from the start, and 16. The entries added since, which may
  /// die at once, are at most as many as the entries from the start, and 16.
  private let limit: Int
  /// Counts the words that an entry was meant for.
  private let claimed: Atomic<Int>
  /// The difference between an entry's number and `claimed`.
  private let offset: Int
  private let visits = Atomic<Int>(0)
  /// When the table was made, by the clock of cached instances.
  let time: Duration
  private let ownsEntries = Atomic<Bool>(true)
  /// The entries that no further table has.
  private var last: [ArgumentEntry] = []

  private static var closed: UInt { 1 }

  /// - Parameter entries: the entries from the start, of unequal arguments, in the order of their
  ///   numbers. Takes over the references of the words of the table to be replaced.
  init(_ entries: [ArgumentEntry], at time: Duration) {
    var capacity = 8
    while capacity <= 2 * entries.count { capacity *= 2 }
    self.capacity = capacity
    limit = min(capacity / 4 * 3, 2 * entries.count + 16)
    claimed = Atomic(entries.count)
    offset = (entries.last.map { Int($0.number) } ?? 0) - entries.count
    self.time = time
    unsafe words = .allocate(capacity: capacity)
    for index in 0..<capacity { unsafe (words + index).initialize(to: Atomic(0)) }
    for entry in entries {
      var index = first(entry.arguments.hash)
      while unsafe words[index].load(ordering: .relaxed) != 0 { index = next(index) }
      unsafe words[index].store(Self.address(.passUnretained(entry)), ordering: .relaxed)
    }
  }

  /// Leaves the entries to the next table, or to the former table after a replacement in vain.
  ///
  /// - Parameter last: the entries missing in the other table, with references of this table.
  func leaveEntries(except last: [ArgumentEntry] = []) {
    self.last = last
    // The list has references too.
    for entry in last { unsafe Unmanaged.passUnretained(entry).release() }
    // Pairs with the load in the deinit.
    ownsEntries.store(false, ordering: .releasing)
  }

  /// The entry of a hash that satisfies `isEqual`, at +0; `nil` if there is none.
  @inline(__always)
  func find(
    _ hash: UInt64, where isEqual: (ArgumentEntry) -> Bool
  ) -> Unmanaged<ArgumentEntry>? {
    let shortHash = UInt32(truncatingIfNeeded: hash)
    var index = first(hash)
    while true {
      // Pairs with the release half of the exchange in `entry(for:unequal:)`.
      let word = unsafe words[index].load(ordering: .acquiring)
      guard let entry = unsafe Self.entry(word) else { return nil }
      let isFound = unsafe entry._withUnsafeGuaranteedRef {
        $0.hash == shortHash && isEqual($0) && !$0.isSealed
      }
      if isFound { return unsafe entry }
      index = next(index)
    }
  }

  /// The entry of arguments, made on first use; `nil` if there is none, and no room. Runs the
  /// arguments' `==`.
  ///
  /// - Parameter unequal: gets the entries of the hash that have different arguments. A search in
  ///   the next table compares none of the entries again: a `==` that resolves could otherwise fill
  ///   every table before the search ends.
  func entry(for arguments: AnyArguments, unequal: inout [ArgumentEntry]) -> ArgumentEntry? {
    let shortHash = UInt32(truncatingIfNeeded: arguments.hash)
    let compared = unequal.count
    var made: ArgumentEntry?
    var index = first(arguments.hash)
    while true {
      var word = unsafe words[index].load(ordering: .acquiring)
      if word == 0 {
        guard let entry = made ?? makeEntry(arguments) else { return nil }
        made = entry
        let reference = unsafe Unmanaged.passRetained(entry)
        let (isFirst, found) = unsafe words[index].compareExchange(
          expected: 0, desired: Self.address(reference), ordering: .acquiringAndReleasing)
        if isFirst { return entry }
        unsafe reference.release()
        word = found
      }
      guard let found = unsafe Self.entry(word)?.takeUnretainedValue() else { return nil }
      if found.hash == shortHash, !unequal.prefix(compared).contains(where: { $0 === found }) {
        if !found.arguments.areEqual(to: arguments) {
          unequal.append(found)
        } else if !found.isSealed {
          return found
        }
      }
      index = next(index)
    }
  }

  /// `nil` without room for a further entry.
  private func makeEntry(_ arguments: AnyArguments) -> ArgumentEntry? {
    let claimed = claimed.wrappingAdd(1, ordering: .relaxed).newValue
    return claimed <= limit ? ArgumentEntry(arguments, number: claimed + offset) : nil
  }

  /// Keeps further entries out.
  ///
  /// - Returns: all entries that the table will ever have.
  func close() -> [ArgumentEntry] {
    for index in 0..<capacity {
      _ = unsafe words[index].compareExchange(
        expected: 0, desired: Self.closed, ordering: .acquiringAndReleasing)
    }
    return entries
  }

  /// The entries, the oldest first.
  var entries: [ArgumentEntry] {
    let entries = (0..<capacity).compactMap { index in
      unsafe Self.entry(words[index].load(ordering: .acquiring))?.takeUnretainedValue()
    }
    return entries.ordered { UInt64($0.number) }
  }

  /// Notes that entries were asked for, or may have died.
  ///
  /// - Returns: whether the caller is to look at all entries, at less cost than the noted calls.
  func noteVisits(_ count: Int) -> Bool {
    let visits = visits.wrappingAdd(count, ordering: .relaxed)
    return visits.oldValue < 2 * capacity && visits.newValue >= 2 * capacity
  }

  // Fibonacci hashing, as in corinth_hash: a type may have a `hashValue` of its own.
  @inline(__always)
  private func first(_ hash: UInt64) -> Int {
    let mixed = hash &* 0x9E37_79B9_7F4A_7C15
    return Int(truncatingIfNeeded: mixed >> 32) & (capacity &- 1)
  }

  @inline(__always)
  private func next(_ index: Int) -> Int { (index &+ 1) & (capacity &- 1) }

  private static func address(_ entry: Unmanaged<ArgumentEntry>) -> UInt {
    unsafe UInt(bitPattern: entry.toOpaque())
  }

  @inline(__always)
  private static func entry(_ word: UInt) -> Unmanaged<ArgumentEntry>? {
    if word <= closed { return nil }
    // SAFETY: invariant 1.
    return unsafe Unmanaged.fromOpaque(UnsafeRawPointer(bitPattern: word).unsafelyUnwrapped)
  }

  deinit {
    if ownsEntries.load(ordering: .acquiring) {
      // The newest first, as in cells.
      var entries = entries
      for entry in entries { unsafe Unmanaged.passUnretained(entry).release() }
      while entries.popLast() != nil {}
    }
    unsafe words.deallocate()
  }
}
