// SPDX-License-Identifier: MIT

internal import Synchronization

/// The instances kept by one resolution or scope until the end.
///
/// A table whose end may come while threads search it. Lock-free. `visitors` counts the threads
/// inside: the last one to leave releases the entries, or else the end itself does. User code,
/// including `==` of arguments, never runs inside: it may take long, close the store, and fork.
struct InstanceStore: ~Copyable, Sendable {
  private let table = InstanceTable()
  private let visitors = VisitorCount()
  private let expectedEnd = Atomic<UInt8>(0)
  /// Counts the entries that searches by hash have come to find.
  private let settled = Atomic<UInt32>(0)

  /// The entry of a key, made on first use; `nil` once the store is sealed.
  ///
  /// - Parameters:
  ///   - payload: kept alive by an entry that is made.
  ///   - requiresDisposal: whether the instance may have to be disposed of, or be waited for.
  /// - Complexity: O(log *n*) in the number of entries, base 4.
  @inline(__always)
  func entry(
    of key: borrowing EntryKey, payload: AnyObject, requiresDisposal: @autoclosure () -> Bool
  ) -> StoredInstance? {
    guard enter() else { return nil }
    var found = table.isSealed ? nil : table.find(key)
    var isNew = false
    if found == nil {
      let made = findOrMake(key, payload, requiresDisposal(), below: nil)
      found = made?.entry
      isNew = made?.isNew ?? false
    }
    leave()
    guard let found, key.arguments != nil, !isNew, !key.hasValues(of: found.key) else {
      return found
    }
    return entry(of: key, payload, requiresDisposal(), below: found)
  }

  /// The search goes on below an entry with an equal hash and different values.
  private func entry(
    of key: borrowing EntryKey, _ payload: AnyObject, _ requiresDisposal: Bool,
    below last: StoredInstance
  ) -> StoredInstance? {
    var last = last
    while enter() {
      let found = findOrMake(key, payload, requiresDisposal, below: last)
      leave()
      guard let found else { return nil }
      if found.isNew || key.hasValues(of: found.entry.key) { return found.entry }
      last = found.entry
    }
    return nil
  }

  private func findOrMake(
    _ key: borrowing EntryKey, _ payload: AnyObject, _ requiresDisposal: Bool,
    below last: StoredInstance?
  ) -> (entry: StoredInstance, isNew: Bool)? {
    if table.isSealed { return nil }
    if requiresDisposal { expectDisposal(isAwaited: true) }
    return table.findOrMake(key, payload: payload, below: last)
  }

  /// The entry of a key, if it has been made and the store has not been closed.
  func existingEntry(of key: borrowing EntryKey) -> StoredInstance? {
    existingEntry(hash: key.hash, { $0.key.mayEqual(key) }, { key.hasValues(of: $0.key) })
  }

  /// The entry with a hash that satisfies two predicates, of which the first runs no user code.
  @inline(__always)
  func existingEntry(
    hash: UInt64, _ mayBe: (StoredInstance) -> Bool, _ isIt: (StoredInstance) -> Bool
  ) -> StoredInstance? {
    var last: StoredInstance?
    while enter() {
      let found = unsafe table.find(hash: hash, below: last, where: mayBe)?.takeUnretainedValue()
      leave()
      guard let found else { return nil }
      if isIt(found) { return found }
      last = found
    }
    return nil
  }

  /// As ``existingEntry(hash:_:_:)``, or the result of `make` as a new entry; `nil` once the store
  /// is sealed. A new entry never needs disposal.
  @inline(__always)
  func entry(
    hash: UInt64, _ mayBe: (StoredInstance) -> Bool, _ isIt: (StoredInstance) -> Bool,
    orMake make: () -> StoredInstance
  ) -> (entry: StoredInstance, isNew: Bool)? {
    var last: StoredInstance?
    while enter() {
      let found = table.findOrMake(hash: hash, below: last, where: mayBe, orMake: make)
      leave()
      guard let found else { return nil }
      if found.isNew {
        // Pairs with the load of `version`.
        settled.add(1, ordering: .releasing)
        return found
      }
      if isIt(found.entry) { return found }
      last = found.entry
    }
    return nil
  }

  /// A version number: changes with every new entry made by hash, and when the store is sealed;
  /// never `UInt.max`. While it stays equal, searches after the first look at it find the same.
  // An entry is listed before searches find it: the table's number may change before searches do.
  var version: UInt {
    // An address leaves the upper bits free, and no number of racing threads wraps these.
    let settled = UInt(settled.load(ordering: .acquiring)) << (UInt.bitWidth - 16)
    return table.version ^ settled
  }

  /// Whether some entries may have to be disposed of, or be waited for.
  var requiresDisposal: Bool { expectedEnd.load(ordering: .acquiring) & Self.disposal != 0 }

  /// Whether some disposals may have to be awaited.
  var requiresAwaitedDisposal: Bool { expectedEnd.load(ordering: .acquiring) & Self.awaited != 0 }

  private static var disposal: UInt8 { 1 }
  private static var awaited: UInt8 { 2 }
  private static var deferring: UInt8 { 4 }
  private static var resolvingLater: UInt8 { 8 }

  /// Whether the store is as new.
  var isUnused: Bool { table.isUnused && expectedEnd.load(ordering: .relaxed) == 0 }

  /// Whether the store has never had an entry. Only for a caller without concurrent users.
  var canReopen: Bool { table.isEmpty && visitors.isUnused }

  /// Lets new entries in again.
  func reopen() {
    table.reopen()
    expectedEnd.store(0, ordering: .relaxed)
  }

  /// Whether the store has no entries.
  var isEmpty: Bool { table.isEmpty }

  /// Notes that some instances may have to be disposed of, here or elsewhere.
  func expectDisposal(isAwaited: Bool) {
    let expected = isAwaited ? Self.disposal | Self.awaited : Self.disposal
    if expectedEnd.load(ordering: .relaxed) & expected == expected { return }
    // Pairs with the loads above.
    expectedEnd.bitwiseOr(expected, ordering: .releasing)
  }

  /// Whether some instances, here or elsewhere, may depend on instances completed later.
  var hasDeferredDependencies: Bool {
    expectedEnd.load(ordering: .relaxed) & Self.deferring != 0
  }

  /// Notes deferred dependencies of some instances.
  ///
  /// - Returns: `false` if they are noted already.
  func noteDeferredDependencies() -> Bool {
    // Noted before the instance in question is complete: a closing that finds it reads the note.
    !hasDeferredDependencies
      && expectedEnd.bitwiseOr(Self.deferring, ordering: .relaxed).oldValue & Self.deferring == 0
  }

  /// Whether something was made by which an instance resolves later.
  var mayResolveLater: Bool {
    expectedEnd.load(ordering: .relaxed) & Self.resolvingLater != 0
  }

  /// Notes that an instance may resolve later.
  func noteLaterResolves() {
    // As above.
    if mayResolveLater { return }
    expectedEnd.bitwiseOr(Self.resolvingLater, ordering: .relaxed)
  }

  /// Keeps new entries out.
  func seal() {
    table.seal()
  }

  /// Whether new entries are kept out.
  var isSealed: Bool { table.isSealed }

  /// Calls `body` with every entry, the newest first. `body` must run no user code.
  func forEachEntry(_ body: (StoredInstance) -> Void) {
    guard enter() else { return }
    defer { leave() }
    table.forEachEntry(body)
  }

  /// Seals the store and releases its entries.
  func close() {
    if !table.isSealed { table.seal() }
    if table.isEmpty { return }
    if visitors.close() { table.releaseEntries() }
  }

  private func enter() -> Bool {
    if visitors.enter() { return true }
    leave()
    return false
  }

  private func leave() {
    if visitors.leave() { table.releaseEntries() }
  }
}
