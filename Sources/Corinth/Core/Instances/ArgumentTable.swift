// SPDX-License-Identifier: MIT

internal import Synchronization

/// The state of the instance for one value of the arguments.
// SAFETY: see the superclass; the other properties are constant or atomic.
final class ArgumentEntry: InstanceState, @unchecked Sendable {
  let arguments: AnyArguments
  /// A part of that of the arguments, so that a search that meets other values reads no more.
  let hash: UInt32
  private let dropped = Atomic<Bool>(false)

  init(_ arguments: AnyArguments) {
    self.arguments = arguments
    hash = UInt32(truncatingIfNeeded: arguments.hash)
    super.init()
  }

  /// Whether the container has let the instance go that is being built.
  ///
  /// Sequentially consistent: see ``InstanceState/claimEnd()``.
  var isDropped: Bool { dropped.load(ordering: .sequentiallyConsistent) }

  func markDropped() { dropped.store(true, ordering: .sequentiallyConsistent) }

  deinit { HeldLocks.assertNone(ArgumentEntry.self) }

  @inline(__always)
  var isSealed: Bool { word.load(ordering: .acquiring) == Self.sealed }
}

/// Some entries, found by open addressing: a search begins at a word that the hash decides, and
/// ends at the first free one.
///
/// Invariants
///  1. A word changes at most once: from 0 to an entry, which the word owns a reference to, or to
///     `closed`. All searches for a value pass the same words; a search passes sealed entries. Of
///     the entries with equal arguments, at most one is not sealed.
///  2. At most `limit` words lead to entries, three quarters of them: each search ends.
///  3. No word of a closed table changes.
// SAFETY: the memory is that of atomic words, as many as `capacity`, and freed in the deinit. All
// else is constant or atomic.
@safe
final class ArgumentTable: @unchecked Sendable {
  private let words: UnsafeMutablePointer<Atomic<UInt>>
  private let capacity: Int
  /// The most entries: twice the entries from the start, and 16. So the table holds at most as many
  /// dead entries as live ones, and 16.
  private let limit: Int
  /// Counts the words that an entry was meant for.
  private let claimed: Atomic<Int>
  private let visits = Atomic<Int>(0)
  /// When it was made, by the clock of cached instances.
  let time: Duration

  private static var closed: UInt { 1 }

  /// - Parameter entries: those from the start, of unequal arguments.
  init(_ entries: [ArgumentEntry], at time: Duration) {
    var capacity = 8
    while capacity <= 2 * entries.count { capacity *= 2 }
    self.capacity = capacity
    limit = min(capacity / 4 * 3, 2 * entries.count + 16)
    claimed = Atomic(entries.count)
    self.time = time
    unsafe words = .allocate(capacity: capacity)
    for index in 0..<capacity { unsafe (words + index).initialize(to: Atomic(0)) }
    for entry in entries {
      var index = first(entry.arguments.hash)
      while unsafe words[index].load(ordering: .relaxed) != 0 { index = next(index) }
      unsafe words[index].store(Self.address(.passRetained(entry)), ordering: .relaxed)
    }
  }

  /// The entry of a hash that satisfies `isEqual`, at +0; `nil` if there is none.
  @inline(__always)
  func find(
    _ hash: UInt64, where isEqual: (ArgumentEntry) -> Bool
  ) -> Unmanaged<ArgumentEntry>? {
    let shortHash = UInt32(truncatingIfNeeded: hash)
    var index = first(hash)
    while true {
      // Pairs with the release half of the exchange in `entry(for:)`.
      let word = unsafe words[index].load(ordering: .acquiring)
      guard let entry = unsafe Self.entry(word) else { return nil }
      let isFound = unsafe entry._withUnsafeGuaranteedRef {
        $0.hash == shortHash && isEqual($0) && !$0.isSealed
      }
      if isFound { return unsafe entry }
      index = next(index)
    }
  }

  /// The entry of arguments, made on first use; `nil` if there is none, and no room. Runs their
  /// `==`.
  ///
  /// - Parameter unequal: gets the entries of the hash that have other arguments. A further search
  ///   compares no entry again: a `==` that resolves could fill each table before the search ends.
  func entry(for arguments: AnyArguments, unequal: inout [ArgumentEntry]) -> ArgumentEntry? {
    let shortHash = UInt32(truncatingIfNeeded: arguments.hash)
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
      if found.hash == shortHash, !unequal.contains(where: { $0 === found }) {
        if !found.arguments.areEqual(to: arguments) {
          unequal.append(found)
        } else if !found.isSealed {
          return found
        }
      }
      index = next(index)
    }
  }

  /// `nil` if there is no room for another one.
  private func makeEntry(_ arguments: AnyArguments) -> ArgumentEntry? {
    claimed.wrappingAdd(1, ordering: .relaxed).newValue <= limit ? ArgumentEntry(arguments) : nil
  }

  /// Keeps further entries out.
  ///
  /// - Returns: all that there will ever be.
  func close() -> [ArgumentEntry] {
    for index in 0..<capacity {
      _ = unsafe words[index].compareExchange(
        expected: 0, desired: Self.closed, ordering: .acquiringAndReleasing)
    }
    return entries
  }

  var entries: [ArgumentEntry] {
    var found: [ArgumentEntry] = []
    forEachEntry { found.append($0) }
    return found
  }

  func forEachEntry(_ body: (ArgumentEntry) -> Void) {
    for index in 0..<capacity {
      let word = unsafe words[index].load(ordering: .acquiring)
      unsafe Self.entry(word)?._withUnsafeGuaranteedRef(body)
    }
  }

  /// Notes that an entry was asked for.
  ///
  /// - Returns: whether that has come so often that a look at each of them costs less, and this
  ///   caller is to have it.
  func noteVisit() -> Bool {
    visits.wrappingAdd(1, ordering: .relaxed).newValue == 2 * capacity
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
    for index in 0..<capacity {
      let word = unsafe words[index].load(ordering: .acquiring)
      unsafe Self.entry(word)?.release()
    }
    unsafe words.deallocate()
  }
}
