// SPDX-License-Identifier: MIT

internal import Synchronization

/// The instances that one resolution or one scope keeps, each for one registration.
///
/// A list that only grows, until it is sealed. Lock-free. Invariants
///  1. `newest` owns one reference to the first entry, each entry one to the next. Its lowest bit says
///     that the store is sealed: nothing is added any more.
///  2. `visitors` counts the threads that are looking, by twos. Its lowest bit says that the entries are
///     given up: nobody comes in any more, and whoever leaves last, or gives up while nobody is inside,
///     releases them.
struct InstanceStore: ~Copyable, Sendable {
  private let newest = Atomic<UInt>(0)
  private let requiresDisposalAtEnd = Atomic<Bool>(false)
  private let visitors = Atomic<UInt>(0)

  private static var mark: UInt { 1 }
  private static var visitor: UInt { 2 }

  /// The state of a registration's instance, made on first use; `nil` once the store is sealed.
  ///
  /// - Parameter registry: the container whose instance it is, where one store serves several.
  /// - Complexity: O(*n*) in the number of instances kept.
  func state(
    of record: RegistrationRecord, in registry: ContainerCore, arguments: AnyArguments?
  ) -> InstanceState? {
    guard enter() else { return nil }
    defer { leave() }
    if record.requiresDisposal { requiresDisposalAtEnd.store(true, ordering: .releasing) }
    var made: StoredInstance?
    var searched: UInt = 0
    // Pairs with the release half of the exchange below.
    var head = newest.load(ordering: .acquiring)
    while true {
      guard head & Self.mark == 0 else { return nil }
      var next = head
      while next != searched {
        let entry = Self.entry(next)
        if entry.holds(record, in: registry, arguments: arguments) { return entry }
        next = entry.next
      }
      searched = head
      let entry = made ?? StoredInstance(of: record, in: registry, arguments: arguments)
      made = entry
      entry.next = head
      let (exchanged, found) = newest.compareExchange(
        expected: head, desired: Self.address(entry), ordering: .acquiringAndReleasing)
      if exchanged {
        unsafe _ = Unmanaged.passRetained(entry)
        return entry
      }
      head = found
    }
  }

  /// The state of a registration's instance, if it has been made and the store is not given up.
  func existingState(
    of record: RegistrationRecord, in registry: ContainerCore, arguments: AnyArguments?
  ) -> InstanceState? {
    var found: InstanceState?
    forEachEntry { entry in
      if found == nil, entry.holds(record, in: registry, arguments: arguments) { found = entry }
    }
    return found
  }

  /// Whether some entries may have to be disposed of, or be waited for.
  var requiresDisposal: Bool { requiresDisposalAtEnd.load(ordering: .acquiring) }

  /// Keeps new entries out.
  func seal() {
    newest.bitwiseOr(Self.mark, ordering: .acquiringAndReleasing)
  }

  /// Calls `body` with each entry, the newest first.
  func forEachEntry(_ body: (StoredInstance) -> Void) {
    guard enter() else { return }
    defer { leave() }
    var next = newest.load(ordering: .acquiring) & ~Self.mark
    while next != 0 {
      let entry = Self.entry(next)
      body(entry)
      next = entry.next
    }
  }

  /// Seals the store and lets go of its entries.
  func close() {
    if newest.bitwiseOr(Self.mark, ordering: .acquiringAndReleasing).oldValue == 0 { return }
    let found = visitors.bitwiseOr(Self.mark, ordering: .acquiringAndReleasing).oldValue
    if found == 0 { releaseEntries() }
  }

  private func enter() -> Bool {
    let found = visitors.add(Self.visitor, ordering: .acquiringAndReleasing).oldValue
    if found & Self.mark == 0 { return true }
    leave()
    return false
  }

  private func leave() {
    let left = visitors.subtract(Self.visitor, ordering: .acquiringAndReleasing).newValue
    if left == Self.mark { releaseEntries() }
  }

  /// One after the other: each releasing the next would nest as deeply as the list is long.
  private func releaseEntries() {
    var next = newest.exchange(Self.mark, ordering: .acquiringAndReleasing) & ~Self.mark
    while next != 0 {
      let entry = Self.entry(next)
      next = entry.next
      unsafe Unmanaged.passUnretained(entry).release()
    }
  }

  private static func address(_ entry: StoredInstance) -> UInt {
    unsafe UInt(bitPattern: Unmanaged.passUnretained(entry).toOpaque())
  }

  private static func entry(_ address: UInt) -> StoredInstance {
    // SAFETY: invariants 1 and 2: the caller is counted as a visitor, or is the one who releases.
    unsafe Unmanaged<StoredInstance>.fromOpaque(
      UnsafeRawPointer(bitPattern: address).unsafelyUnwrapped
    ).takeUnretainedValue()
  }

  deinit {
    releaseEntries()
  }
}

/// The state of one registration's instance within an ``InstanceStore``.
// SAFETY: `next` is written before the entry is published, and not after; all else is constant.
final class StoredInstance: InstanceState, @unchecked Sendable {
  let record: RegistrationRecord
  /// Which instance it is, when the factory takes arguments.
  let arguments: AnyArguments?
  private let registry: ObjectIdentifier
  fileprivate var next: UInt = 0

  init(of record: RegistrationRecord, in registry: ContainerCore, arguments: AnyArguments?) {
    self.record = record
    self.registry = ObjectIdentifier(registry)
    self.arguments = arguments
  }

  fileprivate func holds(
    _ record: RegistrationRecord, in registry: ContainerCore, arguments: AnyArguments?
  ) -> Bool {
    self.record === record && self.registry == ObjectIdentifier(registry)
      && self.arguments?.values == arguments?.values
  }
}
