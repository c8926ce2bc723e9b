// SPDX-License-Identifier: MIT

internal import Synchronization

/// The part of a container that instances may hold: slots, parent, scoped instances, closed flag.
///
/// Providers, resolvers and errors hold only the core: an instance that stores a provider does not
/// keep the container alive.
@usableFromInline
// SAFETY: every property is constant, Sendable or atomic, or names who touches it. `begin` changes
// constant ones, while a thread keeps the core as a spare, and nobody else refers to the core.
final class ContainerCore: ThreadSpare, @unchecked Sendable {
  /// The registrations by key. Stored in place: a hit finds the table's pointer with one load.
  @usableFromInline let table: SlotTable

  /// The container whose registrations are shadowed by this container's.
  var parent: ContainerCore? { parentLink.object }
  /// Reads no reference, which would be counted.
  var hasParent: Bool { !parentLink.isNil }
  private(set) var parentLink: ChainLink<ContainerCore>
  /// Whether `.scoped` instances are stored here.
  let isScope: Bool
  /// The context that was running when the scope was opened. Uses of the scope's instances in the
  /// context are no captive dependencies: the context is trusted to keep none beyond the scope.
  private(set) var openedDuring: ResolutionContext?
  /// Where the container or scope was made; `nil` if the library made the container.
  private(set) var location: SourceLocation?
  #if DEBUG
    /// The call that closed the container.
    let closeLocation = SourceLocation.SetOnce()
  #endif
  /// The name of the scope; `nil` for none. One word, as few scopes have a name.
  private(set) var scopeName: Shared<Name>?
  /// The inputs passed to the scope.
  let inputs = ScopeInputs()
  /// How the containers around the scope have admitted it.
  private(set) var admission = Admission.plain
  enum Admission {
    case plain
    /// The parent, or a container around it, was draining. The new scope is closed from the start.
    case refused
    case tracked
  }
  var isRefused: Bool { admission == .refused }
  /// The number of process forks before the ancestors counted the scope; `notCounted` for an
  /// uncounted scope and for other containers; `tracked` if the tracking knows the number.
  private(set) var countGeneration = ContainerCore.notCounted
  static var notCounted: UInt32 { .max }
  static var tracked: UInt32 { .max - 1 }
  /// The tasks of the closing.
  let ending = EndRequirements()
  /// The number of the latest completed instance, among those disposed of with the container.
  private let lastCompletion = Atomic<UInt64>(0)
  /// The same, among those completed by the first user of a scope's cells, the only writer.
  private let lastOfFirstUser = Atomic<UInt64>(0)
  var closingState: ClosingState { table.closingState }
  /// The scopes below this container.
  let openScopes = OpenScopes()
  /// The container's base; `nil` unless the container is a fork.
  var base: ContainerCore? { baseLink.object }
  private let baseLink: ChainLink<ContainerCore>
  /// The part of the base visible to a fork; `nil` unless the container is a fork.
  let fork: Fork?
  let compositionReference = ReplaceableReference<Shared<Composition>>()
  let frozen = Atomic<Bool>(false)
  /// Whether a descendant has registrations, which the decorators of this container concern.
  private let descendantRegisters = Atomic<Bool>(false)
  /// Whether the container is a request scope deallocated without a close.
  private let dropped = Atomic<Bool>(false)
  private let madeExtras = MadeOnce<ContainerExtras>()
  /// The slots served under keys without a registration; `nil` for none.
  let implicit = ReplaceableReference<ImplicitSlots>()

  let ownerReference = OwnerReference()
  /// Whether the core itself holds the parent: the owner, while alive, holds the parent's.
  // Changes in the deinit of the owner; read in the deinit of the core.
  private var holdsParent = false

  /// Whether the parent had implicit keys when the container was made.
  private(set) var parentHasImplicitKeys: Bool
  /// The policy for a second registration of a key.
  private(set) var duplicates: DuplicatePolicy

  /// - Parameters:
  ///   - fingerprintBits: of a root; with fewer than 64, keys of the tree collide, for tests.
  ///   - parent: the container where missing keys are looked up.
  ///   - isScope: whether `.scoped` instances are stored here.
  ///   - location: where the container was made; `nil` if not by the user.
  ///   - duplicates: the policy for a second registration of a key; by default, the parent's.
  ///   - base: the container to fork; a fork has no parent.
  ///   - fork: the part of the base visible to the fork.
  init(
    fingerprintBits: UInt32 = 64, parent: __shared ContainerCore?, isScope: Bool,
    location: SourceLocation?, duplicates: DuplicatePolicy?,
    base: ContainerCore? = nil, fork: Fork? = nil
  ) {
    baseLink = ChainLink(base)
    self.fork = fork
    self.location = location
    // At +0 from here on: to count references to the parent would write to memory shared by scopes
    // and children.
    let link = ChainLink(unretained: parent)
    if let parent = unsafe link.unretained {
      table = unsafe SlotTable(
        childOf: parent._withUnsafeGuaranteedRef { unsafe $0.table.pointer }, hasCells: isScope)
      self.duplicates = unsafe duplicates ?? parent._withUnsafeGuaranteedRef { $0.duplicates }
      parentHasImplicitKeys = unsafe parent._withUnsafeGuaranteedRef { !$0.implicit.isNil }
    } else {
      table = SlotTable(fingerprintBits: fingerprintBits, isScopeFork: isScope)
      self.duplicates = duplicates ?? .override
      parentHasImplicitKeys = false
    }
    parentLink = link
    self.isScope = isScope
    openedDuring = isScope ? ResolutionContext.current : nil
    askForAdmission()
  }

  /// Has the ancestors count the core, if it is a scope.
  @inline(__always)
  private func askForAdmission() {
    guard isScope, let parent = unsafe parentLink.unretained else { return }
    admission = unsafe parent._withUnsafeGuaranteedRef { $0.admitScope() } ? .plain : .refused
    countGeneration = isRefused ? Self.notCounted : ForkHandlers.generation
    if isRefused { seal() }
  }

  /// Tracks a new scope, not yet visible to others. From now on, outsiders may close the scope.
  ///
  /// - Parameter owner: the container of the core.
  func beginTracking(
    in tracking: ScopeTracking, at location: SourceLocation, owner: any AnyObject & Sendable
  ) {
    if countGeneration == Self.notCounted { return }
    let tracked = TrackedScope(
      self, of: owner, in: tracking, at: location, countGeneration: countGeneration)
    _ = extras.trackedScope.storeIfNil(tracked)
    let counted = countGeneration
    (admission, countGeneration) = (.tracked, Self.tracked)
    openScopes.markTracked()
    let layer = firstOfSelfAndAncestors { $0.baseOfLayer == nil ? nil : $0 }
    if tracking.begin(tracked, of: layer) { return }
    (admission, countGeneration) = (.refused, counted)
    seal()
    noteEndOfScope()
    countGeneration = Self.notCounted
  }

  /// Names a new scope, not yet visible to others. Not an argument of the initializer: most scopes
  /// have no name, and passing the argument on would cost every scope.
  @inline(never)
  func setScopeName(_ name: Name) {
    scopeName = Shared(name)
  }

  deinit {
    HeldLocks.assertNone(ContainerCore.self)
    // Instances left by a lost closer, or built after the end in a container closed from the start.
    table.cells?.empty()
    if !compositionReference.isNil { Composition.end() }
    if holdsParent { parentLink.release(asPartOf: self) }
    guard let fork else { return }
    if let base { fork.endView(of: base) }
    baseLink.release(asPartOf: self)
  }

  // MARK: - Using it again

  static var kind: ThreadSpares.Kind { .scope }

  /// As ``init``, except for forks: reuses the thread's spare core of a scope or child, if any.
  @inline(__always)
  static func make(
    fingerprintBits: UInt32, parent: __shared ContainerCore?, isScope: Bool,
    location: SourceLocation?, duplicates: DuplicatePolicy?
  ) -> ContainerCore {
    // At +0, as in the initializer.
    let link = ChainLink(unretained: parent)
    guard let parent = unsafe link.unretained,
      let spare = unsafe ThreadSpares.take(ContainerCore.self, as: isScope ? .scope : .child)
    else {
      return ContainerCore(
        fingerprintBits: fingerprintBits, parent: parent, isScope: isScope,
        location: location, duplicates: duplicates)
    }
    unsafe spare._withUnsafeGuaranteedRef {
      unsafe $0.begin(below: parent, at: location, duplicates)
    }
    return unsafe spare.takeRetainedValue()
  }

  /// Begins the next use of a spare.
  // SAFETY: nobody else refers to a spare; the caller holds the parent.
  @inline(__always)
  func begin(
    below parent: Unmanaged<ContainerCore>, at location: SourceLocation?,
    _ duplicates: DuplicatePolicy? = nil
  ) {
    parentLink = unsafe ChainLink(unretained: parent)
    self.location = location
    holdsParent = false
    unsafe parent._withUnsafeGuaranteedRef {
      self.duplicates = duplicates ?? $0.duplicates
      parentHasImplicitKeys = !$0.implicit.isNil
      unsafe table.useAgain(childOf: $0.table.pointer)
    }
    ending.reset()
    descendantRegisters.store(false, ordering: .relaxed)
    frozen.store(false, ordering: .relaxed)
    if !isScope { return }
    // A spare has no opening context.
    if let current = ResolutionContext.current { openedDuring = current }
    askForAdmission()
  }

  /// Prepares the core for a next use as the calling thread's spare, if an ended scope or child has
  /// used nothing but registrations and cells. Runs deinits of inputs and names.
  ///
  /// - Returns: `false` if the core is to be released.
  @inline(__always)
  func endForNextUse() -> Bool {
    // SAFETY: the owner's reference to the core.
    guard hasParent, ThreadSpares.areKept,
      unsafe ThreadSpares.isReferencedOnce(Unmanaged.passUnretained(self)), isAsNew
    else { return false }
    table.end()
    inputs.removeAll()
    if openedDuring != nil { openedDuring = nil }
    if scopeName != nil { scopeName = nil }
    #if DEBUG
      closeLocation.forget()
    #endif
    parentLink = ChainLink(nil)
    return true
  }

  /// As ``endForNextUse()``, in the owner's deinit, with the core alone as the spare.
  @inline(__always)
  func keepForNextUse() -> Bool {
    guard endForNextUse() else { return false }
    unsafe ThreadSpares.keep(referencedOnce: .passUnretained(self), as: isScope ? .scope : .child)
    return true
  }

  @inline(__always)
  private var isAsNew: Bool {
    (isScope ? closingState.isClosed : !openScopes.ofContainer.mayBeHeld) && openScopes.isUnused
      && madeExtras.isNil && compositionReference.isNil && implicit.isNil && !isDropped
  }

  /// The parts used by few containers, and by no request scope.
  var extras: ContainerExtras { madeExtras.load() ?? madeExtras.storeIfNil(ContainerExtras()) }

  /// As ``extras``; `nil` before the first use.
  var extrasIfMade: ContainerExtras? { madeExtras.load() }

  /// The versions of a reloadable container; `nil` for all others.
  var versionsIfMade: ContainerVersions? { extrasIfMade?.versions.load() }

  /// The versions, beginning with `layer` if none exist.
  func versions(first layer: @autoclosure () -> ContainerLayer) -> ContainerVersions {
    if let versions = versionsIfMade { return versions }
    // A container with slots looks further at its end.
    _ = table.slotMade(for: RegistrationKey(product: ContainerVersions.self))
    return extras.versions.storeIfNil(ContainerVersions(first: layer()))
  }

  /// The base of a layer; `nil` for containers that are no layers.
  var baseOfLayer: ContainerCore? { extrasIfMade?.baseOfLayer.load() }

  /// The recorded dependencies of this container's factories.
  var recorded: RecordedDependencies {
    // All versions of a container share the recording, stored in the base.
    let core = baseOfLayer ?? self
    return core.extras.recorded.load()
      ?? core.extras.recorded.storeIfNil(RecordedDependencies(of: core))
  }

  /// As ``recorded``; `nil` if nothing was ever recorded.
  var recordedIfAny: RecordedDependencies? {
    (baseOfLayer ?? self).extrasIfMade?.recorded.load()
  }

  /// The deinit of the owner has begun. Objects that outlive the owner now hold the parent.
  @inline(__always)
  func removeOwner() {
    // SAFETY: the owner's reference to the core. If the only one, nobody can get a second.
    if unsafe ThreadSpares.isReferencedOnce(Unmanaged.passUnretained(self)) { return }
    ownerReference.remove()
    if holdsParent { return }
    holdsParent = true
    if let parent = unsafe parentLink.unretained { unsafe _ = parent.retain() }
  }

  /// Whether a descendant has, or is about to have, a registration.
  ///
  /// Sequentially consistent, as the composition's exchange: a descendant sets the flag, then reads
  /// decorators; a decorating container stores one, then reads the flag. One sees the other.
  var hasRegistrationsBelow: Bool { descendantRegisters.load(ordering: .sequentiallyConsistent) }

  func noteRegistrationBelow() {
    if !hasRegistrationsBelow { descendantRegisters.store(true, ordering: .sequentiallyConsistent) }
  }

  /// Numbers a completed instance, higher than its dependencies, as their places are published.
  /// Independent instances of two threads may get the same number.
  func nextCompletion() -> UInt64 {
    let ofFirstUser = lastOfFirstUser.load(ordering: .relaxed)
    if table.cells?.isFirstUser ?? false {
      let number = max(ofFirstUser, lastCompletion.load(ordering: .relaxed)) + 1
      lastOfFirstUser.store(number, ordering: .relaxed)
      return number
    }
    if ofFirstUser > 0 { lastCompletion.max(ofFirstUser, ordering: .relaxed) }
    return lastCompletion.wrappingAdd(1, ordering: .relaxed).newValue
  }

  // Sequentially consistent, both: see `InstanceState.claimEnd`.
  var isDropped: Bool { dropped.load(ordering: .sequentiallyConsistent) }

  func markDropped() { dropped.store(true, ordering: .sequentiallyConsistent) }

  /// Whether the container resolves nothing any more.
  var isClosed: Bool { !closingState.isOpen }

  /// Whether a missing key is final: the container is open, without anywhere else to search.
  @usableFromInline var isRootAndOpen: Bool {
    @inline(__always) get {
      !hasParent && (fork?.isDetached ?? true) && implicit.isNil && !isClosed
    }
  }

  /// Keeps registrations and resolves out from now on.
  ///
  /// - Returns: whether the call has done so, as at most one call does.
  @discardableResult
  func seal() -> Bool {
    // Pairs with `isOpen`: the maker of a slot missed from here on sees the seal.
    defer { table.stopSharing() }
    return closingState.seal()
  }

  /// Whether changes of the registrations are refused. Pairs with the store below.
  var isFrozen: Bool { frozen.load(ordering: .acquiring) }

  /// Takes the writer lock: a writer that found the container thawed has ended before.
  func setFrozen(_ isFrozen: Bool) {
    table.withWriterLock { frozen.store(isFrozen, ordering: .releasing) }
  }
}
