// SPDX-License-Identifier: MIT

public import CCorinth

/// The slots of a container, or of a registration's instances.
///
/// Lookups are lock-free and may run in any thread beside a writer; ``withWriterLock(_:)`` admits
/// writers one by one. Slots are never removed before the table ends.
@usableFromInline
@safe
// SAFETY: the table owns the pointer until the deinit; thread-safe by the contracts of CCorinth.h.
struct SlotTable: ~Copyable, @unchecked Sendable {
  @usableFromInline let pointer: UnsafeMutablePointer<corinth_registry>

  /// The table of a root, or of no container.
  ///
  /// - Parameters:
  ///   - fingerprintBits: with fewer than 64, the cache leaves most keys out, for tests.
  ///   - isScopeFork: whether the table is that of a fork of a request scope, with cells.
  init(fingerprintBits: UInt32 = 64, isScopeFork: Bool = false) {
    unsafe pointer = corinth_registry_create(NameBits.areEqual, fingerprintBits, isScopeFork)
  }

  /// A table of the same container tree, which ends before the parent. Until the table has a slot,
  /// its cache is the parent's: invariant 6 of registry.c.
  ///
  /// - Parameters:
  ///   - parent: the pointer of the parent's table, which lives at least as long.
  ///   - hasCells: whether the table is a request scope's.
  init(childOf parent: UnsafeMutablePointer<corinth_registry>, hasCells: Bool) {
    unsafe pointer = corinth_registry_create_child(parent, hasCells)
  }

  /// Ends the slots, which the owner of the table has emptied. Only for the table's single user.
  @inline(__always)
  func end() {
    if unsafe pointer.pointee.internals != nil { unsafe corinth_registry_end(pointer, endOfSlot) }
  }

  /// Begins an ended table of a child anew. The cells of a request scope are empty.
  func useAgain(childOf parent: UnsafeMutablePointer<corinth_registry>) {
    unsafe corinth_registry_use_again(pointer, parent)
  }

  /// The cells of a request scope; `nil` for other tables.
  ///
  /// Fast paths take cells as the proof that the container asked is a request scope, and stores the
  /// instance behind a word with the tag `scoped`: `contentOfCell` in InstanceKeeper.swift, and
  /// `contentOfScope` in SlowResolution.swift. So no other table may have cells.
  @inline(__always)
  var cells: ScopeCells? { unsafe pointer.pointee.cells.map { unsafe ScopeCells($0) } }

  /// How far the end of the table's container has come.
  @inline(__always)
  var closingState: ClosingState { unsafe ClosingState(of: pointer) }

  /// Ends the program if another library's copy of Corinth made the table. Writers check anyway.
  @inline(__always)
  func checkImage() {
    unsafe corinth_registry_check_image(pointer)
  }

  deinit {
    unsafe corinth_registry_destroy(pointer, endOfSlot)
  }

  // MARK: - Lookup

  /// The slot of a key without name and arguments: in the cache, or else in the hash table.
  @inlinable @_transparent
  func slot(ofType type: UInt) -> SlotReference? {
    cachedSlot(ofType: type) ?? find(type: type)
  }

  /// As ``slot(ofType:)``; `nil` if the cache misses.
  @inlinable @_transparent
  func cachedSlot(ofType type: UInt) -> SlotReference? {
    guard let slot = unsafe corinth_cache_find_plain(pointer, type) else { return nil }
    return unsafe SlotReference(slot)
  }

  /// The slot of a key with a name or arguments; the name outlives the call.
  @inlinable @_transparent
  func slot(of key: KeyWords) -> SlotReference? {
    cachedSlot(of: key) ?? find(key)
  }

  /// As ``slot(of:)``; `nil` if the cache misses.
  @inlinable @_transparent
  func cachedSlot(of key: KeyWords) -> SlotReference? {
    let words = key.words
    guard
      let slot = unsafe corinth_cache_find(
        pointer, key.hash, words.product, words.name_hash, words.name_bits.0, words.name_bits.1,
        words.arguments)
    else { return nil }
    return unsafe SlotReference(slot)
  }

  /// The slot of a key in this table alone. The key's name outlives the call.
  @usableFromInline @inline(never)
  func find(_ key: KeyWords) -> SlotReference? {
    let found = unsafe withUnsafePointer(to: key.words) {
      unsafe corinth_registry_find_spmc(pointer, $0, key.hash)
    }
    return unsafe found.map { unsafe SlotReference($0) }
  }

  /// Whether the cache shows that this table has no such key; `false` means unknown.
  @inline(__always)
  func lacks(_ key: KeyWords) -> Bool {
    unsafe corinth_cache_lacks(
      pointer, key.hash, key.words.product, key.words.name_hash, key.words.arguments)
  }

  /// As ``find(_:)-(KeyWords)``, for a key with neither name nor arguments.
  @usableFromInline @inline(never)
  func find(type: UInt) -> SlotReference? {
    find(KeyWords(type: type, name: nil, arguments: 0))
  }

  /// The slot of a key in this table alone.
  func find(_ key: RegistrationKey) -> SlotReference? {
    withExtendedLifetime(key) { find(KeyWords(key)) }
  }

  /// Whether no slot has ever been made.
  @inline(__always)
  var isEmpty: Bool {
    unsafe !corinth_registry_may_have_slots(pointer) || corinth_registry_slots(pointer) == nil
  }

  /// The number of slots.
  var count: Int { unsafe corinth_registry_count(pointer) }

  /// The slot inserted last; `nil` without slots.
  var newestSlot: SlotReference? {
    unsafe corinth_registry_slots(pointer).map { unsafe SlotReference($0) }
  }

  /// Calls `body` with the slots, newest first; beside a writer, with the slots as of the start.
  ///
  /// - Parameters:
  ///   - first: the slot to begin with; `nil` for the newest slot.
  ///   - end: an older slot to end before; `nil` for none.
  ///   - limit: the greatest number of slots.
  func forEachSlot(
    from first: SlotReference? = nil, until end: SlotReference? = nil, atMost limit: Int = .max,
    _ body: (SlotReference) -> Void
  ) {
    var next = first ?? newestSlot
    var left = limit
    while let slot = next, slot != end, left > 0 {
      body(slot)
      next = slot.older
      left -= 1
    }
  }

  // MARK: - Writing

  /// The slot of a key, made on first use. Takes the writer lock.
  func slotMade(for key: RegistrationKey) -> SlotReference {
    withExtendedLifetime(key) { withWriterLock(makingSlotFor: KeyWords(key)) { $0 } }
  }

  /// As ``withWriterLock(_:)``, whose rule holds; `body` gets a key's slot, made on first use. The
  /// key's name outlives the call.
  func withWriterLock<Result: ~Copyable, Failure>(
    makingSlotFor key: KeyWords, _ body: (SlotReference) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    var inserted = false
    let slot = unsafe withUnsafePointer(to: key.words) {
      unsafe corinth_registry_insert_and_lock(pointer, $0, key.hash, &inserted)
    }
    // The slot's key now holds the name's bits for as long as the table lives.
    if inserted { NameBits(key.words).retain() }
    defer { unlockWriters() }
    return unsafe try body(SlotReference(slot.unsafelyUnwrapped))
  }

  /// Runs `body` as the only writer. No user code may run in `body`, deinits included.
  func withWriterLock<Result: ~Copyable>(_ body: () -> Result) -> Result {
    lockWriters()
    defer { unlockWriters() }
    return body()
  }

  /// For a caller that calls ``unlockWriters()`` and runs no user code in between.
  func lockWriters() { unsafe corinth_registry_lock(pointer) }
  func unlockWriters() { unsafe corinth_registry_unlock(pointer) }

  /// From now on the cache finds no slots of the parent in a table that has none.
  func stopSharing() {
    unsafe corinth_registry_stop_sharing(pointer)
  }

  // MARK: - Tracking of paths

  /// Whether the paths of all transient resolves of the container tree are tracked, deep or not.
  var tracksAllPaths: Bool {
    unsafe corinth_registry_path_tracking_threshold(pointer) == 0
  }

  /// Makes ``tracksAllPaths`` true for the whole container tree, for good.
  func trackAllPaths() {
    unsafe corinth_registry_track_all_paths(pointer)
  }
}

/// The owner of the table has emptied the slots: only names are left.
private func endOfSlot(_ slot: UnsafeMutablePointer<corinth_slot>?) {
  guard let slot = unsafe slot else { return }
  unsafe NameBits(slot.pointee.key).release()
}

/// The writer locks of several tables, taken in one step.
@safe
struct WriterLocks: ~Copyable {
  // SAFETY: the tables outlive this value.
  private var tables: [UnsafeMutablePointer<corinth_registry>?] = unsafe []

  mutating func add(_ table: borrowing SlotTable) {
    let pointer = unsafe Optional(table.pointer)
    unsafe tables.append(pointer)
  }

  /// Runs `body` as the only writer of all tables, at one moment for all. No user code may run.
  func withLocks<Result>(_ body: () -> Result) -> Result {
    unsafe tables.withUnsafeBufferPointer { tables in
      unsafe corinth_registries_lock(tables.baseAddress, tables.count)
      defer { unsafe corinth_registries_unlock(tables.baseAddress, tables.count) }
      return body()
    }
  }
}

extension Section {
  /// Whether a transient can be built inline: the thread runs `construction` (`nil` for none),
  /// below the depth at which the container tree tracks paths: 0 once resolutions are tracked.
  @inlinable @_transparent
  func canBuildInline(in table: borrowing SlotTable, within construction: AnyObject?) -> Bool {
    // SAFETY: the address is compared, and nothing is read through it.
    let address = unsafe unsafeBitCast(construction, to: UnsafeRawPointer?.self)
    return unsafe corinth_thread_can_build_inline(thread, table.pointer, address)
  }
}

/// The slots of a table by the type of the key, for collections: any name, and no arguments.
///
/// A table's slots are a list that only grows at the head. The listing of a type is complete while
/// the head is unchanged; a walk from the new head to the old head completes it. Writers do nothing
/// for it.
///
/// Replaced snapshots are retired, not awaited: readers are lock-free. Two threads that find a
/// listing outdated both replace it; the walk of the loser is repeated by a later reader.
final class TypeSlots: Sendable {
  private let byType = ReplaceableReference<
    Shared<[UInt: (head: SlotReference, [SlotReference])]>
  >()

  /// The slots of a type, oldest first. A slot may be empty.
  ///
  /// - Parameter table: always the same table.
  func slots(ofType type: UInt, in table: borrowing SlotTable) -> [SlotReference] {
    // Before the head: a listing newer than the head would never be met on the walk.
    let known = byType.load()
    guard let head = table.newestSlot else { return [] }
    let former = known?.value[type]
    if let former, former.head == head { return former.1 }
    var newer: [SlotReference] = []
    table.forEachSlot(from: head, until: former?.head) { slot in
      if slot.isElement(ofType: type) { newer.append(slot) }
    }
    let slots = (former?.1 ?? []) + newer.reversed()
    var extended = known?.value ?? [:]
    extended[type] = (head, slots)
    byType.store(Shared(extended))
    return slots
  }
}
