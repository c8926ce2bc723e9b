// SPDX-License-Identifier: MIT

internal import Synchronization

/// A registration of any product, with the state of a stored instance. Otherwise immutable.
///
/// Owned by the word of the slot that publishes the record; a replaced record is retired.
@usableFromInline
// SAFETY: stored properties are constant, Sendable or atomic; the factories of the subclasses are
// @Sendable closures.
class RegistrationRecord: InstanceState, @unchecked Sendable {
  final let attributes: RegistrationAttributes
  final let policy: ScopePolicy
  /// The ``DropMark`` of a registration that the container has let go of.
  private final let dropMark = Atomic<UInt8>(0)
  /// The states by argument value, if the registration stores an instance for every value.
  final let instancesByArguments: ArgumentInstances?
  private let number = Atomic<UInt64>(0)
  /// The position taken over from a replaced registration; 0 for none.
  private let positionTakenOver = Atomic<UInt64>(0)
  /// The latest earlier form of the registration with instances; a chain of forms.
  private let takenOver = MadeOnce<RegistrationRecord>()
  /// The disposers, if shared with records derived later.
  private let sharedDisposers = MadeOnce<DisposerList>()

  final let factoryKind: FactoryKind
  final let plan: RegistrationPlan
  /// Whether a cell can hold the instance without a box: the product is a class.
  final let isClassInstance: Bool

  /// - Parameter hashing: compares the arguments of the factory, if it takes any.
  init(
    _ attributes: consuming RegistrationAttributes, factoryKind: FactoryKind,
    hashing: ArgumentHashing? = nil
  ) {
    // A contradictory registration has no instances: all resolves end in `refuseFault`.
    let policy = attributes.fault == nil ? attributes.policy : AnyScope.Kind.transient.policy
    self.policy = policy
    self.factoryKind = factoryKind
    plan = RegistrationPlan(
      factoryKind, policy, attributes.rare?.contents.lifecycle, isAtFault: attributes.fault != nil)
    #if canImport(ObjectiveC)
      // Not every object is native, and the address of a foreign one has different bits.
      isClassInstance = false
    #else
      isClassInstance = attributes.key.product is AnyClass
    #endif
    if policy.storage == .registration, let hashing {
      instancesByArguments = ArgumentInstances(
        hashing, isWeak: policy.box == .weak, cache: attributes.scope.cachePolicy)
    } else {
      instancesByArguments = nil
    }
    self.attributes = consume attributes
    super.init()
  }

  deinit {
    HeldLocks.assertNone(RegistrationRecord.self)
    takenOver.releaseChain { $0.takenOver.takeUnshared() }
  }

  /// Whether only `resolveAsync` can build the instance.
  final var isAsynchronous: Bool { plan == .asynchronous || plan == .bareAsyncFactory }
  /// Whether `resolveAsync` must take the asynchronous path. The synchronous one is faster.
  final var mayBuildAsynchronously: Bool { isAsynchronous || factoryKind.mayResolveAsynchronously }
  /// Whether an instance is complete, and stored unchanged, when the factory returns.
  final var servesInstanceUnchanged: Bool {
    plan == .unchanged || plan == .simpleSingleton || plan == .inCells
  }
  /// Whether constructions note what they resolve, for disposers that run side by side.
  final var notesDependencies: Bool {
    factoryKind.notesDependencies && policy.isPublishedToSlot && plan != .asynchronous
  }
  /// Whether threads may hold batched references to the record.
  final var isInStock: Bool { plan == .inCells || plan == .bareAsyncFactory }
  /// Whether resolves may share an instance.
  final var sharesInstances: Bool { policy.storage != .none }
  /// Whether the record serves the instances of a different registration.
  final var isForwarding: Bool { factoryKind.isForwarding }
  /// Whether the instance is a value that existed before the registration.
  final var isConstant: Bool { factoryKind == .constant }
  /// Whether only the call that begins a construction knows how to build.
  final var isBuiltByItsCaller: Bool { factoryKind.isBuiltByItsCaller }

  final var key: RegistrationKey { attributes.key }
  final var scope: AnyScope { attributes.scope }
  final var location: SourceLocation { attributes.location }
  final var serial: UInt64 { attributes.serial }
  /// The sort key of collections and lists: an override leaves the order unchanged.
  final var position: UInt64 {
    let takenOver = positionTakenOver.load(ordering: .relaxed)
    return takenOver == 0 ? serial : takenOver
  }
  final var lifecycle: Lifecycle { attributes.lifecycle }
  /// The clock's number of the latest moment when the record became current for the key.
  final var version: UInt64 {
    get { number.load(ordering: .relaxed) }
    // Relaxed: the slot's word, through which readers find the record, publishes the number.
    set { number.store(newValue, ordering: .relaxed) }
  }
  final var owner: ContainerCore { unsafe attributes.owner }
  final func isOwned(by container: ContainerCore) -> Bool { unsafe attributes.owner === container }

  /// The key whose instances a forward serves; `nil` for registrations with own instances.
  var forwardedKey: RegistrationKey? { nil }

  /// The registration with the instances: of an older version of the container, if shared.
  var served: RegistrationRecord { self }

  /// The decorators of instances built with the dependencies of a container.
  func decorators(of container: ContainerCore) -> [Decorator] {
    container.decorators(of: key.product)
  }

  /// The instance, if stored in the state before the record became visible to other threads.
  var constant: AnyInstanceBox? { nil }

  /// Whether closing the owner of an instance must do more than release it.
  final var requiresDisposal: Bool { isAsynchronous || hasDisposers }

  /// The disposers of the instances, as known by now.
  final var disposers: [Disposer] { isToDispose ? disposerList?.all ?? [] : [] }

  final var disposerList: DisposerList? { attributes.disposers ?? sharedDisposers.load() }

  /// The attributes for a further record of the registration, with a shared list of disposers:
  /// later additions reach all records. Most records never have disposers, and get no list.
  final var attributesToCopy: RegistrationAttributes {
    var attributes = attributes
    if attributes.disposers == nil, attributes.policy.endsWithContainer {
      attributes.disposers =
        sharedDisposers.load() ?? sharedDisposers.storeIfNil(DisposerList())
    }
    return attributes
  }

  /// Whether any disposer is asynchronous.
  final var hasAsynchronousDisposers: Bool {
    guard let disposers = unsafe unretainedDisposers else { return false }
    return unsafe disposers._withUnsafeGuaranteedRef { $0.hasAsynchronous }
  }

  /// The only disposer, at +0, alive as long as the record; `nil` for none, or for several.
  final var unretainedSoleDisposer: Unmanaged<Disposer>? {
    guard let disposers = unsafe unretainedDisposers else { return nil }
    return unsafe disposers._withUnsafeGuaranteedRef { unsafe $0.unretainedSole }
  }

  @inline(__always)
  final var hasDisposers: Bool {
    guard let disposers = unsafe unretainedDisposers else { return false }
    return unsafe disposers._withUnsafeGuaranteedRef { !$0.isEmpty }
  }

  /// At +0: every construction reads the disposers, and a count would write to shared memory.
  // SAFETY: constant, and kept alive by the record.
  @inline(__always)
  private var unretainedDisposers: Unmanaged<DisposerList>? {
    // Most registrations have none, which is known sooner.
    guard
      let found = unsafe attributes.disposers.map({ unsafe Unmanaged.passUnretained($0) })
        ?? sharedDisposers.unretained, isToDispose
    else { return nil }
    return unsafe found
  }

  /// Whether the container knows the end of the instances. Values adopted by a fork are disposed of
  /// by the base, unless the fork has its own actions to run with the values.
  private var isToDispose: Bool {
    guard policy.endsWithContainer else { return false }
    return
      !(isConstant && attributes.isAdopted && policy.storage == .registration
      && lifecycle.afterInit.isEmpty)
  }

  /// The record, and the earlier forms of the registration taken over by the record.
  final var forms: some Sequence<RegistrationRecord> {
    sequence(first: self) { $0.takenOver.load() }
  }

  /// Whether ``forms`` has a single element.
  final var isOnlyForm: Bool { takenOver.isNil }

  /// Gives the record the position of `other`. No other thread has the record yet.
  final func takePosition(of other: RegistrationRecord) {
    positionTakenOver.store(other.position, ordering: .relaxed)
  }

  /// Takes over the former form, just replaced by the record. The former form builds no more; its
  /// instances end with the record's, if the container knows their end. The writer lock is held.
  final func takeOverAssumingWriterLockHeld(_ former: RegistrationRecord) {
    guard attributes.policy.endsWithContainer || attributes.hasDisposers,
      let earlier = former.sealKeepingInstances() ? former : former.takenOver.load()
    else { return }
    _ = takenOver.storeIfNil(earlier)
  }

  /// Seals the states of the instances, if the container is to end them.
  ///
  /// - Returns: whether there are instances, or some are being built.
  private func sealKeepingInstances() -> Bool {
    // The later form serves the value itself.
    if !policy.endsWithContainer || policy.storage != .registration || isConstant { return false }
    var hasInstances = false
    for state in sealInstances() {
      _ = state.seal()
      if !state.isSealed { hasInstances = true }
    }
    return hasInstances
  }

  /// Whether the registration stores an instance, or builds one to store, in any form.
  @inline(__always)
  final var hasInstances: Bool { policy.storage == .registration && hasInstancesInForms }

  /// Out of line, to keep the replacement of other registrations short.
  @inline(never)
  private final var hasInstancesInForms: Bool {
    // The section outlasts the references to the states: none ends under a lock.
    let section = Section.enter()
    defer { section.leave() }
    return forms.contains { form in
      form.instances.contains { $0.load().address != 0 }
    }
  }

  /// The states of the instances that the registration stores. With a lock held, inside a section.
  final var instances: [InstanceState] {
    instancesByArguments?.all ?? [self]
  }

  /// Seals the states of instances not under construction, and returns the states of all others.
  final func sealInstances() -> [InstanceState] {
    instancesByArguments?.seal() ?? [self]
  }

  /// Why the container has let go of the instances; `nil` if still kept.
  ///
  /// Sequentially consistent: see ``InstanceState/claimEnd()``.
  final var drop: DropMark? { DropMark(rawValue: dropMark.load(ordering: .sequentiallyConsistent)) }

  /// Whether ``drop`` is set, by a load of the same ordering.
  @inline(__always)
  final var isDropped: Bool { dropMark.load(ordering: .sequentiallyConsistent) != 0 }

  final func markDropped(_ mark: DropMark) {
    dropMark.store(mark.rawValue, ordering: .sequentiallyConsistent)
  }

  /// A copy of the record, with the same version, and without the instance.
  final func withoutInstance() -> RegistrationRecord {
    let copy = copy(attributesToCopy)
    copy.version = version
    return copy
  }

  /// A copy for a different container, without the instance.
  final func copied(to owner: ContainerCore) -> RegistrationRecord {
    var attributes = attributesToCopy
    unsafe attributes.owner = owner
    attributes.isAdopted = true
    return copy(attributes)
  }

  /// A copy with different attributes, without the instance.
  final func copy(_ attributes: RegistrationAttributes) -> RegistrationRecord {
    let copy = makeCopy(attributes)
    copy.takePosition(of: self)
    return copy
  }

  // MARK: - For each kind of factory

  /// A copy with different attributes, without the instance; ``copy(_:)`` then sets the position.
  func makeCopy(_ attributes: RegistrationAttributes) -> RegistrationRecord {
    preconditionFailure("RegistrationRecord.makeCopy: must be overridden by each kind of factory")
  }

  /// How to compare arguments; `nil` for a factory without, or if any is not `Hashable`.
  var hashing: ArgumentHashing? { nil }

  /// Runs the factory.
  func build(_ resolver: Resolver, _ arguments: AnyArguments?) throws -> AnyInstanceBox {
    preconditionFailure("RegistrationRecord.build: must be overridden by synchronous factories")
  }

  /// Runs a factory without arguments.
  func build(with resolver: UncountedResolver) throws -> AnyInstanceBox {
    try build(resolver.counted, nil)
  }

  /// Runs the factory.
  ///
  /// - Returns: the object built, with a reference.
  func build(
    in container: ContainerCore, _ construction: ResolutionContext?
  ) throws -> Unmanaged<AnyObject> {
    preconditionFailure("RegistrationRecord.build: must be overridden by simple factories")
  }

  /// A box of the object at an address.
  func box(ofObjectAt address: UnsafeRawPointer) -> AnyInstanceBox {
    preconditionFailure("RegistrationRecord.box: must be overridden by simple factories")
  }

  /// Runs the factory, including an asynchronous factory.
  nonisolated(nonsending)
    func buildAsync(
      _ resolver: Resolver, _ arguments: AnyArguments?
    ) async throws -> AnyInstanceBox
  {
    try build(resolver, arguments)
  }

  /// Runs the factory of a registration with the plan ``RegistrationPlan/bareAsyncFactory``, into
  /// uninitialized memory.
  nonisolated(nonsending)
    func buildAsync(
      with resolver: UncountedResolver, at place: UnsafeMutableRawPointer
    ) async throws
  {
    preconditionFailure("RegistrationRecord.buildAsync: must be overridden by bare factories")
  }
}
