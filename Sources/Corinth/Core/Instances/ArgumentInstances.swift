// SPDX-License-Identifier: MIT

internal import Synchronization

/// The instances of one registration whose factory takes arguments: one for each value of these.
/// Lock-free.
///
/// One word leads to a table of entries. A full table is replaced by another one, and so is a table
/// from time to time. The new table has no dead entries: entries without an instance, entries whose
/// weak instance has ended, and expired ones.
///
/// Invariants
///  1. The word owns a reference to the table; a thread inside a section, or with a reference of
///     its own, may use the table. The lowest bit says that no further entries are made: the table
///     then stays.
///  2. A table is closed before the search for live entries: no entry is made there from then on.
///  3. A dead entry is sealed before the new table is published without the entry. A resolve that
///     finds the entry sealed looks again. A released entry may be under construction, and is left
///     out unsealed: a resolve that claims the entry then gives the claim back, see
///     ``keeps(_:for:)``.
final class ArgumentInstances: Sendable {
  private let word = Atomic<UInt>(0)
  private let hashing: ArgumentHashing
  private let isWeak: Bool
  /// That of cached instances.
  private let cache: CachePolicy?

  private static var sealed: UInt { 1 }

  init(_ hashing: ArgumentHashing, isWeak: Bool, cache: CachePolicy?) {
    self.hashing = hashing
    self.isWeak = isWeak
    self.cache = cache
  }

  /// The box of an instance that each resolve may have, for the arguments at an address; see
  /// ``InstanceState/servedBox``.
  ///
  /// Counts no reference. Runs the values' `==` inside of the caller's section, as factories of
  /// transients run in one.
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

  /// The state of the instance for these arguments, made on first use; one that is sealed if no
  /// further ones are made.
  ///
  /// Runs the values' `==`, and deinits of arguments and of instances that have expired.
  func state(for arguments: AnyArguments) -> InstanceState {
    precondition(
      arguments.hashing != nil, "ArgumentInstances.state: the arguments must be Hashable")
    var mayBeDue = true
    var unequal: [ArgumentEntry] = []
    while true {
      let (table, isSealed) = load()
      if let table, isSealed || !mayBeDue || !isDue(table),
        let entry = table.entry(for: arguments, unequal: &unequal)
      {
        return entry
      }
      if isSealed {
        let sealed = InstanceState()
        _ = sealed.seal()
        return sealed
      }
      mayBeDue = false
      _ = replace(table)
    }
  }

  /// Takes the instance for these arguments out, or what is building it: further resolves build
  /// another one. Runs the values' `==`.
  ///
  /// - Parameter isDropped: whether the end of a construction is to report the instance; else the
  ///   caller disposes of it.
  /// - Returns: the state, and the box that it held, which the caller must retire; `nil` if there
  ///   is neither.
  func take(
    _ arguments: AnyArguments, isDropped: Bool
  ) -> (state: InstanceState, box: Unmanaged<AnyObject>?)? {
    guard let table = load().table else { return nil }
    let found = withExtendedLifetime(table) {
      unsafe table.find(arguments.hash) { $0.arguments.areEqual(to: arguments) }?
        .takeUnretainedValue()
    }
    guard let entry = found else { return nil }
    while true {
      // The section keeps the address of a box from being used again.
      let section = Section.enter()
      let current = entry.current
      if case .built(let box) = current, unsafe entry.seal(replacing: box) {
        section.leave()
        return unsafe (entry, box)
      }
      section.leave()
      switch current {
      case .empty, .sealed: return nil
      case .built: continue
      case .building:
        if isDropped { entry.markDropped() }
        release(entry)
        return (entry, nil)
      }
    }
  }

  private func release(_ entry: ArgumentEntry) {
    while true {
      let (table, isSealed) = load()
      if isSealed || replace(table, without: entry) { return }
    }
  }

  /// Whether the entry in which an instance is being built for these arguments has not been
  /// released. Runs no user code.
  func keeps(_ state: InstanceState, for arguments: AnyArguments) -> Bool {
    guard let table = load().table else { return false }
    return unsafe table.find(arguments.hash) { $0 === state } != nil
  }

  /// Keeps instances from being built for further values. A lock may be held.
  ///
  /// - Returns: the states of all instances, which are the caller's to seal.
  func seal() -> [InstanceState] {
    word.bitwiseOr(Self.sealed, ordering: .sequentiallyConsistent)
    return load().table?.close() ?? []
  }

  var isSealed: Bool { word.load(ordering: .sequentiallyConsistent) & Self.sealed != 0 }

  /// The states of all instances. No lock is held: some may leave the table meanwhile.
  var all: [InstanceState] { load().table?.entries ?? [] }

  /// Whether there is an instance, or one is being built. A lock may be held: nothing is let go of.
  var isUsed: Bool {
    let section = Section.enter()
    defer { section.leave() }
    var isUsed = false
    // SAFETY: the section keeps the table alive.
    unsafe Self.table(word.load(ordering: .acquiring))?._withUnsafeGuaranteedRef {
      $0.forEachEntry { entry in
        switch entry.current {
        case .empty, .sealed: break
        case .building, .built: isUsed = true
        }
      }
    }
    return isUsed
  }

  // MARK: - The table

  private func load() -> (table: ArgumentTable?, isSealed: Bool) {
    let section = Section.enter()
    defer { section.leave() }
    let found = word.load(ordering: .sequentiallyConsistent)
    // SAFETY: the section keeps the table alive until it is retained.
    return (unsafe Self.table(found)?.takeUnretainedValue(), found & Self.sealed != 0)
  }

  /// Whether it is time to look for what is dead, also if there is room. Each entry was built or
  /// asked for since the last time, so that the look costs no more than these did.
  private func isDue(_ table: ArgumentTable) -> Bool {
    if isWeak { return table.noteVisit() }
    return cache.map { $0.clock.now() >= table.time + $0.lifetime + $0.grace } ?? false
  }

  /// Puts a table in the place of another one, with what is alive in that, and room for more.
  ///
  /// - Parameter released: an entry that is left out, even if it is being built.
  /// - Returns: `false` if another thread has come first.
  private func replace(_ old: ArgumentTable?, without released: ArgumentEntry? = nil) -> Bool {
    var boxes = unsafe [Unmanaged<AnyObject>]()
    let kept =
      old?.close().filter { unsafe $0 !== released && !isOver($0, &boxes) } ?? []
    let time = cache?.clock.now() ?? .zero
    let new = unsafe Unmanaged.passRetained(ArgumentTable(kept, at: time))
    let former = unsafe old.map { unsafe Unmanaged.passUnretained($0) }
    // The caller's reference keeps the address from being used again.
    let isReplaced = word.compareExchange(
      expected: unsafe former.map { unsafe UInt(bitPattern: $0.toOpaque()) } ?? 0,
      desired: unsafe UInt(bitPattern: new.toOpaque()), ordering: .sequentiallyConsistent
    ).exchanged
    if !isReplaced {
      unsafe new.release()
    } else if let former = unsafe former {
      // SAFETY: the reference that the word had to it.
      unsafe Reclamation.retire(former)
    }
    while let box = unsafe boxes.popLast() { unsafe Reclamation.retire(box) }
    return isReplaced
  }

  /// Seals an entry without an instance that a resolve could get, unless one is being built.
  ///
  /// - Parameter boxes: gets that which the entry held, for the caller to retire.
  private func isOver(_ entry: ArgumentEntry, _ boxes: inout [Unmanaged<AnyObject>]) -> Bool {
    // The section keeps the box alive, and its address from being used again.
    let section = Section.enter()
    defer { section.leave() }
    switch entry.current {
    case .sealed: return true
    case .building: return false
    case .empty: return unsafe entry.seal(replacing: nil)
    case .built(let box):
      guard unsafe isOver(box), unsafe entry.seal(replacing: box) else { return false }
      unsafe boxes.append(box)
      return true
    }
  }

  private func isOver(_ box: Unmanaged<AnyObject>) -> Bool {
    let address = unsafe box.toOpaque()
    // SAFETY: a weak registration's states only ever hold boxes of this class, others the one
    // below.
    if isWeak {
      return unsafe Unmanaged<AnyWeakBox>.fromOpaque(address)._withUnsafeGuaranteedRef(\.isEmpty)
    }
    if cache == nil { return false }
    return unsafe Unmanaged<AnyInstanceBox>.fromOpaque(address)._withUnsafeGuaranteedRef {
      $0.expiry?.endIfOver() ?? false
    }
  }

  private static func table(_ word: UInt) -> Unmanaged<ArgumentTable>? {
    let address = unsafe UnsafeRawPointer(bitPattern: word & ~sealed)
    return unsafe address.map { unsafe Unmanaged.fromOpaque($0) }
  }

  deinit {
    // Nobody else uses this.
    if let last = unsafe Self.table(word.load(ordering: .acquiring)) { unsafe last.release() }
  }
}
