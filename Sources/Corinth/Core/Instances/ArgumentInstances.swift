// SPDX-License-Identifier: MIT

internal import Synchronization

/// The instances of a registration whose factory takes arguments: an instance for every value, in
/// one container, scope or resolution. Lock-free.
///
/// One word leads to a table of entries. A new table replaces a full one, and from time to time a
/// table with room, and leaves out the dead entries: see ``ArgumentEntry``.
///
/// The word owns a reference to the table. A thread uses the table and the entries there inside of
/// a section: references to entries go from table to table. The lowest bit of the word says that no
/// further entries are made: the table then stays. A table is closed before the search for live
/// entries: no entry is added there from then on.
final class ArgumentInstances: Sendable {
  private let word = Atomic<UInt>(0)
  private let hashing: ArgumentHashing
  private let isWeak: Bool
  /// The lifetime of cached instances, `nil` for others.
  private let cache: CachePolicy?

  private static var sealed: UInt { 1 }

  init(_ hashing: ArgumentHashing, isWeak: Bool, cache: CachePolicy?) {
    self.hashing = hashing
    self.isWeak = isWeak
    self.cache = cache
  }

  /// The box served to every resolve, for arguments at an address; see ``InstanceState/servedBox``.
  ///
  /// Counts no reference. Runs `==` of the values inside the caller's section, as
  /// factories of transients may run.
  func servedBox(forArgumentsAt arguments: UnsafeRawPointer) -> Unmanaged<AnyInstanceBox>? {
    // SAFETY: the section keeps the table alive.
    guard let table = unsafe Self.table(word.load(ordering: .acquiring)) else { return nil }
    let hash = unsafe hashing.hash(arguments)
    let entry = unsafe table._withUnsafeGuaranteedRef { table in
      unsafe table.find(hash) {
        unsafe $0.arguments.areEqual(toArgumentsAt: arguments, by: hashing)
      }
    }
    return unsafe entry?._withUnsafeGuaranteedRef { unsafe $0.servedBox }
  }

  /// The state of the instance for these arguments, made on first use; a sealed state if no further
  /// states are made.
  ///
  /// Runs the values' `==`, and deinits of arguments and of instances that have expired.
  func state(for arguments: AnyArguments) -> InstanceState {
    precondition(
      arguments.hashing != nil, "ArgumentInstances.state: the arguments must be Hashable")
    var mayBeDue = true
    var unequal: [ArgumentEntry] = []
    while true {
      let section = Section.enter()
      let found = word.load(ordering: .sequentiallyConsistent)
      let isSealed = found & Self.sealed != 0
      var entry: ArgumentEntry?
      if let table = unsafe Self.table(found) {
        // SAFETY: the section keeps the table alive. At +0: all threads would count references.
        entry = unsafe table._withUnsafeGuaranteedRef { table in
          if !isSealed, mayBeDue, isDue(table) { return nil }
          return table.entry(for: arguments, unequal: &unequal)
        }
      }
      section.leave()
      if let entry { return entry }
      if isSealed {
        let sealed = InstanceState()
        _ = sealed.seal()
        return sealed
      }
      mayBeDue = false
      _ = replaceTable(seenAs: found)
    }
  }

  /// Takes the instance for these arguments out, or the construction under way: further resolves
  /// build another instance. Runs the values' `==`.
  ///
  /// - Parameter mark: for a construction under way.
  /// - Returns: the state, and the box that the state held, which the caller must retire; `nil`
  ///   without an instance and a construction.
  func take(
    _ arguments: AnyArguments, _ mark: ReleaseMark
  ) -> (state: InstanceState, box: Unmanaged<AnyObject>?)? {
    guard let (entry, table) = existing(arguments) else { return nil }
    var isMarked = false
    while true {
      // The section keeps the address of a box from being used again.
      let section = Section.enter()
      let word = entry.load()
      // After the state: see point 4 of the life of an entry.
      let isOwn = isMarked || entry.release == nil
      if isOwn, word.isBuilt, entry.exchange(word, with: .sealed) {
        section.leave()
        // Weighed so that a table has no more released entries than live entries.
        if table.noteVisits(16) { _ = replaceTable() }
        return unsafe (entry, word.content(as: AnyObject.self))
      }
      section.leave()
      if word.isSealed || word.isBuilt && !isOwn { return nil }
      if word.isEmpty, !isMarked || entry.exchange(word, with: .sealed) { return nil }
      if !word.isBuilding { continue }
      if !isMarked {
        while !replaceTable(without: entry) {}
        isMarked = entry.noteRelease()
        if !isMarked { return nil }
      }
      if !entry.isBuilding { continue }
      if mark == .dropped { entry.noteDrop() }
      return (entry, nil)
    }
  }

  /// Keeps instances from being built for further values. A lock may be held.
  ///
  /// - Returns: the states of all instances, which are the caller's to seal.
  func seal() -> [InstanceState] {
    word.bitwiseOr(Self.sealed, ordering: .sequentiallyConsistent)
    return withTable { table, _ in table?.close() ?? [] }
  }

  var isSealed: Bool { word.load(ordering: .sequentiallyConsistent) & Self.sealed != 0 }

  /// The states of all instances. With a lock held, inside a section: a state that leaves the table
  /// meanwhile may end with the last reference.
  var all: [InstanceState] { withTable { table, _ in table?.entries ?? [] } }

  /// The state of the instance for these arguments, if made already. Runs the values' `==`.
  func existingState(for arguments: AnyArguments) -> InstanceState? { existing(arguments)?.entry }

  // MARK: - The table

  private func existing(
    _ arguments: AnyArguments
  ) -> (entry: ArgumentEntry, table: ArgumentTable)? {
    withTable { table, _ in
      guard let table else { return nil }
      let found = unsafe table.find(arguments.hash) { $0.arguments.areEqual(to: arguments) }
      return unsafe found.map { unsafe ($0.takeUnretainedValue(), table) }
    }
  }

  /// Calls `body` in a section with the table, and the word that leads to the table.
  private func withTable<Result>(_ body: (ArgumentTable?, UInt) -> Result) -> Result {
    let section = Section.enter()
    defer { section.leave() }
    let found = word.load(ordering: .sequentiallyConsistent)
    // SAFETY: the section keeps the table alive until retained.
    return body(unsafe Self.table(found)?.takeUnretainedValue(), found)
  }

  /// Whether it is time to look for dead entries, also in a table with room. Each entry was built
  /// or asked for since the last time, so that the look costs no more than these calls did.
  private func isDue(_ table: ArgumentTable) -> Bool {
    if isWeak { return table.noteVisits(1) }
    return cache.map { $0.clock.now() >= table.time + $0.lifetime + $0.grace } ?? false
  }

  /// Replaces the table by one with the live entries, and room for more.
  ///
  /// - Parameters:
  ///   - seen: the word that led to the table to be replaced, `nil` for any.
  ///   - released: an entry to be left out, even during a construction.
  /// - Returns: `false` if another thread has come first; `true` if the table stays for good.
  private func replaceTable(seenAs seen: UInt? = nil, without released: ArgumentEntry? = nil)
    -> Bool
  {
    // Read first: no entry that the new table gets is older.
    let time = cache?.clock.now() ?? .zero
    let (old, found, entries) = withTable { table, found in
      let isMeant = found & Self.sealed == 0 && seen ?? found == found
      return (table, found, isMeant ? table?.close() ?? [] : [])
    }
    if found & Self.sealed != 0 { return true }
    if let seen, seen != found { return false }
    var boxes = unsafe [Unmanaged<AnyObject>]()
    var (kept, last): ([ArgumentEntry], [ArgumentEntry]) = ([], [])
    for entry in entries {
      if unsafe entry === released || isOver(entry, &boxes) {
        last.append(entry)
      } else {
        kept.append(entry)
      }
    }
    let table = ArgumentTable(kept, at: time)
    let new = unsafe Unmanaged.passRetained(table)
    // The caller's reference keeps the address of the old table from being used again.
    let isReplaced = word.compareExchange(
      expected: found, desired: unsafe UInt(bitPattern: new.toOpaque()),
      ordering: .sequentiallyConsistent
    ).exchanged
    if !isReplaced {
      table.leaveEntries()
      unsafe new.release()
    } else if let old {
      old.leaveEntries(except: last)
      // SAFETY: the reference that the word had.
      unsafe Reclamation.retire(Unmanaged.passUnretained(old))
    }
    while let box = unsafe boxes.popLast() { unsafe Reclamation.retire(box) }
    return isReplaced
  }

  /// Seals an entry without an instance that a resolve could get, unless one is being built.
  ///
  /// - Parameter boxes: gets the box that the entry held, for the caller to retire.
  private func isOver(_ entry: ArgumentEntry, _ boxes: inout [Unmanaged<AnyObject>]) -> Bool {
    // The section keeps the box alive, and its address from being used again.
    let section = Section.enter()
    defer { section.leave() }
    let word = entry.load()
    if word.isSealed { return true }
    if word.isBuilding || word.isBuilt && !isOver(word) { return false }
    guard entry.exchange(word, with: .sealed) else { return false }
    if let box = unsafe word.content(as: AnyObject.self) { unsafe boxes.append(box) }
    return true
  }

  private func isOver(_ built: PlaceWord) -> Bool {
    // SAFETY: a weak registration's states only ever hold boxes of the first class, others of the
    // second.
    if isWeak {
      let box = unsafe built.content(as: AnyWeakBox.self)
      return unsafe box?._withUnsafeGuaranteedRef(\.isEmpty) ?? true
    }
    return cache != nil && built.box?.expiry?.endIfOver() ?? false
  }

  private static func table(_ word: UInt) -> Unmanaged<ArgumentTable>? {
    let address = unsafe UnsafeRawPointer(bitPattern: word & ~sealed)
    return unsafe address.map { unsafe Unmanaged.fromOpaque($0) }
  }

  deinit {
    // The last use: no thread refers to the instances any more.
    if let last = unsafe Self.table(word.load(ordering: .acquiring)) { unsafe last.release() }
  }
}
