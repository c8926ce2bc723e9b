// SPDX-License-Identifier: MIT

public import CCorinth
internal import Synchronization

/// The slots of one container, and what its instances need of it.
///
/// Lookups are lock-free and may run in any thread beside one writer; `withWriterLock` admits
/// writers one by one.
@usableFromInline
@safe
// SAFETY: the pointer is owned by this object, freed in its deinit, and thread-safe by the contracts of
// CCorinth.h.
final class ContainerCore: @unchecked Sendable {
  @usableFromInline let pointer: UnsafeMutablePointer<corinth_registry>

  /// The container that this is the core of. Providers, resolvers and errors hold the core alone: an
  /// instance that keeps one of them does not keep the container alive.
  ///
  /// Set by the container's initialiser; `nil` once the container is gone.
  ///
  /// A weak reference would be an allocation for each container, and slow down all counting of references to it.
  var container: Container? {
    get {
      guard let object = unsafe swift_tryRetain(ownerAddress) else { return nil }
      return unsafe Unmanaged<Container>.fromOpaque(object).takeRetainedValue()
    }
    set {
      unsafe owner = newValue
      unsafe ownerAddress = newValue.map { unsafe Unmanaged.passUnretained($0).toOpaque() }
    }
  }

  // SAFETY: both are written once, before the container is returned from its initialiser. The first is never
  // read: it keeps the memory behind the second, not the object.
  @exclusivity(unchecked) nonisolated(unsafe) private unowned var owner: Container?
  @exclusivity(unchecked) nonisolated(unsafe) private var ownerAddress: UnsafeMutableRawPointer?

  /// The container whose registrations this one's shadow.
  let parent: ContainerCore?
  /// Told apart from the reference, which is counted when it is read.
  let hasParent: Bool
  /// Whether `.scoped` instances are kept here.
  let isScope: Bool
  /// The construction in the middle of which this scope was opened: it uses the scope, and keeps nothing of it.
  let openedDuring: Construction?
  /// The `.scoped` instances.
  let instances = InstanceStore()
  let closingState = ClosingState()

  /// - Parameters:
  ///   - fingerprintBits: fewer than 64 make keys collide, for tests.
  ///   - parent: where keys are looked up that are not found here.
  ///   - isScope: whether `.scoped` instances are kept here.
  init(fingerprintBits: UInt32, parent: ContainerCore?, isScope: Bool) {
    unsafe pointer = corinth_registry_create(
      NameBits.areEqual, fingerprintBits, parent?.pointer)
    self.parent = parent
    hasParent = parent != nil
    self.isScope = isScope
    openedDuring = isScope ? Construction.running ?? Construction.runningInTask : nil
  }

  deinit {
    // The container, which alone registers, has emptied the slots: only their names are left.
    unsafe corinth_registry_destroy(pointer) { slot in
      guard let slot = unsafe slot else { return }
      unsafe NameBits(slot.pointee.key).release()
    }
  }

  /// The slot of a key, found in the cache or else in the hash table. The key's name outlives the call.
  @usableFromInline @inline(never)
  func find(_ key: KeyWords) -> SlotReference? {
    let found = unsafe withUnsafePointer(to: key.words) {
      unsafe corinth_registry_find_spmc(pointer, $0, key.hash)
    }
    return unsafe found.map { unsafe SlotReference($0) }
  }

  /// As ``find(_:)``, for a key with neither name nor arguments.
  @usableFromInline @inline(never)
  func find(type: UInt) -> SlotReference? {
    find(KeyWords(type: type, name: nil, arguments: 0))
  }

  /// The slot of a key.
  func slot(of key: RegistrationKey) -> SlotReference? {
    withExtendedLifetime(key) { find(KeyWords(key)) }
  }

  /// The slot of a key, made on first use. Takes the writer lock.
  func slotMade(for key: RegistrationKey) -> SlotReference {
    let key = KeyWords(key)
    var inserted = false
    let slot = unsafe withUnsafePointer(to: key.words) {
      unsafe corinth_registry_insert(pointer, $0, key.hash, &inserted)
    }
    // The slot's key now holds the name's bits for as long as the container lives.
    if inserted { NameBits(key.words).retain() }
    return unsafe SlotReference(slot.unsafelyUnwrapped)
  }

  /// Whether the container resolves nothing any more.
  var isClosed: Bool { !closingState.isOpen }

  /// Whether what is not registered here is not found, and that is not an error.
  @usableFromInline var isRootAndOpen: Bool { !hasParent && !isClosed }

  /// Keeps registrations and resolves out from now on.
  ///
  /// - Returns: `false` when a closing has come to its end.
  @discardableResult
  func seal() -> Bool {
    let isUnfinished = closingState.seal()
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    unsafe corinth_registry_stop_sharing(pointer)
    return isUnfinished
  }

  /// Runs `body` as the only writer. Nothing of the user's may run in it, deinits included.
  func withWriterLock<Result>(_ body: () -> Result) -> Result {
    unsafe corinth_registry_lock(pointer)
    defer { unsafe corinth_registry_unlock(pointer) }
    return body()
  }

  /// Calls `body` with each slot, the one inserted last first; beside a writer, with those that
  /// were there at the start.
  func forEachSlot(_ body: (SlotReference) -> Void) {
    var next = unsafe corinth_registry_slots(pointer)
    while let slot = unsafe next {
      unsafe body(SlotReference(slot))
      unsafe next = slot.pointee.next
    }
  }
}
