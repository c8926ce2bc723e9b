// SPDX-License-Identifier: MIT

internal import Synchronization

/// The part of a container that its instances may hold: slots, parent, `.scoped` instances, the closed flag.
///
/// Providers, resolvers and errors hold the core alone: an instance that stores one of them does not keep the
/// container alive.
@usableFromInline
// SAFETY: all is constant, Sendable or atomic, or says who touches it. What is constant but for `begin` changes while a thread
// keeps this to use it again, and nobody else refers to it.
final class ContainerCore: ThreadSpare, @unchecked Sendable {
  /// The registrations by their keys. Stored in place, so that a hit finds its pointer with one load.
  @usableFromInline let table: SlotTable

  /// The container whose registrations this one's shadow.
  var parent: ContainerCore? { parentLink.object }
  /// Read without the reference, which would be counted.
  var hasParent: Bool { !parentLink.isNil }
  private(set) var parentLink: ChainLink<ContainerCore>
  /// Whether `.scoped` instances are stored here.
  let isScope: Bool
  /// The context in the middle of which this scope was opened. It may use the scope's instances, and does not
  /// outlive the scope with them.
  private(set) var openedDuring: ResolutionContext?
  /// Where this scope was made; reported when it is dropped without being closed.
  private(set) var scopeLocation: SourceLocation?
  #if DEBUG
    /// The call that has closed this scope.
    let closeLocation = SourceLocation.SetOnce()
  #endif
  /// The name of this scope; `nil` for none. One word, as few scopes have one.
  private(set) var scopeName: Shared<Name>?
  /// The inputs that this scope was made with.
  let inputs = ScopeInputs()
  /// How the containers around this scope have let it in.
  private(set) var admission = Admission.plain
  enum Admission {
    case plain
    /// The parent, or a container around it, was draining. The scope was closed when it was made.
    case refused
    case tracked
  }
  var isRefused: Bool { admission == .refused }
  /// The number of forks before the ancestors counted this scope; `notCounted` if they did not, as of what is
  /// no scope; `tracked` if it is tracked, which says the number.
  private(set) var countGeneration = ContainerCore.notCounted
  static var notCounted: UInt32 { .max }
  static var tracked: UInt32 { .max - 1 }
  /// The `.scoped` instances.
  let instances = InstanceStore()
  /// The number of the instance that was completed last, of those that are going to be disposed of with this.
  private let lastCompletion = Atomic<UInt64>(0)
  let closingState = ClosingState()
  /// The scopes below this container.
  let openScopes = OpenScopes()
  /// The container that it is a fork of; `nil` for none.
  var base: ContainerCore? { baseLink.object }
  private let baseLink: ChainLink<ContainerCore>
  /// The part of its base that a fork sees; `nil` if this is no fork.
  let fork: Fork?
  let compositionReference = ReplaceableReference<Shared<Composition>>()
  let frozen = Atomic<Bool>(false)
  /// Whether a descendant has a registration of its own, which decorators of this container concern.
  private let descendantRegisters = Atomic<Bool>(false)
  /// Whether this is a request scope that was deallocated without having been closed.
  private let dropped = Atomic<Bool>(false)
  private let madeExtras = MadeOnce<ContainerExtras>()
  /// The slots that are served under keys without a registration; `nil` for none.
  let implicit = ReplaceableReference<ImplicitSlots>()

  let ownerReference = OwnerReference()
  /// Whether it has a reference to its parent itself. The owner of a scope keeps its parent's alive, as long as there is one.
  // Changes in the deinit of the owner, and is read in its own.
  private var holdsParent: Bool

  /// Whether the parent had implicit keys when this was made.
  private(set) var parentHasImplicitKeys: Bool
  /// The policy for a second registration of a key.
  private(set) var duplicates: DuplicatePolicy

  /// - Parameters:
  ///   - fingerprintBits: of a root; fewer than 64 make keys of its tree collide, for tests.
  ///   - parent: the container where missing keys are looked up.
  ///   - isScope: whether `.scoped` instances are stored here.
  ///   - scopeLocation: where the scope was made.
  ///   - duplicates: what is done with a second registration of a key; as the parent does when left out.
  ///   - base: what it is a fork of; it has no parent then.
  ///   - fork: what it sees of its base.
  init(
    fingerprintBits: UInt32 = 64, parent: __shared ContainerCore?, isScope: Bool,
    scopeLocation: SourceLocation?, duplicates: DuplicatePolicy?,
    base: ContainerCore? = nil, fork: Fork? = nil
  ) {
    baseLink = ChainLink(base)
    self.fork = fork
    self.scopeLocation = scopeLocation
    // At +0 from here on: counting references to the parent is a write to memory that its scopes share.
    let link = isScope ? ChainLink(unretained: parent) : ChainLink(parent)
    holdsParent = !isScope
    if let parent = unsafe link.unretained {
      table = unsafe SlotTable(
        childOf: parent._withUnsafeGuaranteedRef { unsafe $0.table.pointer }, hasCells: isScope)
      self.duplicates = unsafe duplicates ?? parent._withUnsafeGuaranteedRef { $0.duplicates }
      parentHasImplicitKeys = unsafe parent._withUnsafeGuaranteedRef { !$0.implicit.isNil }
    } else {
      table = SlotTable(fingerprintBits: fingerprintBits)
      self.duplicates = duplicates ?? .override
      parentHasImplicitKeys = false
    }
    parentLink = link
    self.isScope = isScope
    openedDuring = isScope ? ResolutionContext.current : nil
    askForAdmission()
  }

  /// Has the ancestors count this, if it is a scope.
  @inline(__always)
  private func askForAdmission() {
    guard isScope, let parent = unsafe parentLink.unretained else { return }
    admission = unsafe parent._withUnsafeGuaranteedRef { $0.admitScope() } ? .plain : .refused
    countGeneration = isRefused ? Self.notCounted : ForkHandlers.generation
    if isRefused { seal() }
  }

  /// Tracks this as a scope that has just been made, and that nobody else has yet. Others may close it from now on.
  ///
  /// - Parameter owner: the container that this is the core of.
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
    if tracking.begin(tracked, of: layer) { return }
    (admission, countGeneration) = (.refused, counted)
    seal()
    noteEndOfScope()
    countGeneration = Self.notCounted
  }

  /// Names this scope, which has just been made, and which nobody else has yet. Not done as it is made: most scopes have no name,
  /// and that would be handed on all the same.
  @inline(never)
  func setScopeName(_ name: Name) {
    scopeName = Shared(name)
  }

  deinit {
    HeldLocks.assertNone(ContainerCore.self)
    // Instances that a lost closer has left, or that came after the end of a container that was closed from the start.
    table.cells?.empty()
    if holdsParent { parentLink.release(asPartOf: self) }
    guard let fork else { return }
    base?.endVersions(fork.takeVersions())
    baseLink.release(asPartOf: self)
  }

  // MARK: - Using it again

  static var kind: ThreadSpares.Kind { .scope }

  /// As ``init``, but for forks: one that the thread has kept, if there is one and it is to be a scope.
  @inline(__always)
  static func make(
    fingerprintBits: UInt32, parent: __shared ContainerCore?, isScope: Bool,
    scopeLocation: SourceLocation?, duplicates: DuplicatePolicy?
  ) -> ContainerCore {
    // At +0, as in the initializer.
    let link = ChainLink(unretained: parent)
    guard isScope, let parent = unsafe link.unretained,
      let spare = unsafe ThreadSpares.take(ContainerCore.self)
    else {
      return ContainerCore(
        fingerprintBits: fingerprintBits, parent: parent, isScope: isScope,
        scopeLocation: scopeLocation, duplicates: duplicates)
    }
    // SAFETY: nobody else refers to a spare; the caller holds the parent.
    unsafe spare._withUnsafeGuaranteedRef { core in
      core.scopeLocation = scopeLocation
      core.parentLink = link
      unsafe parent._withUnsafeGuaranteedRef {
        core.begin(below: $0, duplicates ?? $0.duplicates)
      }
    }
    return unsafe spare.takeRetainedValue()
  }

  @inline(__always)
  private func begin(below parent: ContainerCore, _ duplicates: DuplicatePolicy) {
    self.duplicates = duplicates
    holdsParent = false
    parentHasImplicitKeys = !parent.implicit.isNil
    unsafe table.useAgain(childOf: parent.table.pointer)
    instances.reopen()
    closingState.reopen()
    descendantRegisters.store(false, ordering: .relaxed)
    // It has none so far.
    if let current = ResolutionContext.current { openedDuring = current }
    askForAdmission()
  }

  /// Keeps this for the calling thread, if it is a scope that has ended, and that nothing has come of but instances in cells.
  /// In the deinit of its owner. Deinits of inputs run in this call.
  ///
  /// - Returns: `false` if it is let go of.
  @inline(__always)
  func keepForNextScope() -> Bool {
    // SAFETY: the owner's reference to this.
    guard isScope, ThreadSpares.areKept,
      unsafe ThreadSpares.isReferencedOnce(Unmanaged.passUnretained(self)), isAsNew
    else { return false }
    inputs.removeAll()
    if openedDuring != nil { openedDuring = nil }
    if scopeName != nil { scopeName = nil }
    #if DEBUG
      closeLocation.forget()
    #endif
    parentLink = ChainLink(nil)
    unsafe ThreadSpares.keep(Unmanaged.passRetained(self))
    return true
  }

  @inline(__always)
  private var isAsNew: Bool {
    hasParent && closingState.isClosed && table.hasNoWriters && instances.canReopen
      && openScopes.isUnused && madeExtras.isNil && compositionReference.isNil && implicit.isNil
      && !isDropped
  }

  /// The parts that few containers have, and no request scope.
  var extras: ContainerExtras { madeExtras.load() ?? madeExtras.storeIfNil(ContainerExtras()) }

  /// The same, `nil` if it has not been used.
  var extrasIfMade: ContainerExtras? { madeExtras.load() }

  /// The deinit of the owner has begun. What outlives it holds the parent from now on.
  @inline(__always)
  func removeOwner() {
    // SAFETY: the owner's reference to this. Nobody can get another if it is the only one.
    if unsafe ThreadSpares.isReferencedOnce(Unmanaged.passUnretained(self)) { return }
    ownerReference.remove()
    if holdsParent { return }
    holdsParent = true
    if let parent = unsafe parentLink.unretained { unsafe _ = parent.retain() }
  }

  /// Whether a descendant has, or is about to have, a registration of its own.
  ///
  /// Sequentially consistent, as the composition's exchange: a registering descendant sets this flag, then reads the
  /// decorators; a decorating container stores its decorator, then reads this flag. At least one sees the other's store.
  var hasRegistrationsBelow: Bool { descendantRegisters.load(ordering: .sequentiallyConsistent) }

  func noteRegistrationBelow() {
    if !hasRegistrationsBelow { descendantRegisters.store(true, ordering: .sequentiallyConsistent) }
  }

  /// Numbers an instance that is complete.
  func nextCompletion() -> UInt64 {
    lastCompletion.wrappingAdd(1, ordering: .relaxed).newValue
  }

  // Sequentially consistent, both: see `InstanceState.claimEnd`.
  var isDropped: Bool { dropped.load(ordering: .sequentiallyConsistent) }

  func markDropped() { dropped.store(true, ordering: .sequentiallyConsistent) }

  /// Whether the container resolves nothing any more.
  var isClosed: Bool { !closingState.isOpen }

  /// Whether a missing key is final: the container is open, and there is nowhere else to search.
  @usableFromInline var isRootAndOpen: Bool {
    @inline(__always) get {
      !hasParent && (fork?.isDetached ?? true) && implicit.isNil && !isClosed
    }
  }

  /// Keeps registrations and resolves out from now on.
  ///
  /// - Returns: the phase in which it was.
  @discardableResult
  func seal() -> ClosingState.Former {
    let former = closingState.seal()
    // A slot that the closer misses from here on has a maker that sees the seal: pairs with `isOpen`. On x86 the
    // exchange in `seal` is a full barrier, and a second one would take as long as counting the scope.
    #if !arch(x86_64)
      atomicMemoryFence(ordering: .sequentiallyConsistent)
    #endif
    table.stopSharing()
    return former
  }
}
