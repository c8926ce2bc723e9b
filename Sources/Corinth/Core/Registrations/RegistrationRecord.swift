// SPDX-License-Identifier: MIT

internal import Synchronization

/// A registration without its product's type, and the state of its instance, if the registration stores it. Else immutable.
///
/// Owned by the slot's word that it is published in; a record that has been replaced is retired.
@usableFromInline
// SAFETY: stored properties are constant, Sendable or atomic; the factories of the subclasses are
// @Sendable closures.
class RegistrationRecord: InstanceState, @unchecked Sendable {
  final let attributes: RegistrationAttributes
  final let policy: ScopePolicy
  /// The ``DropMark`` of a registration whose container has let it go.
  private final let dropMark = Atomic<UInt8>(0)
  /// The states of the instances for each value of the arguments, if the registration stores one for each.
  final let instancesByArguments: ArgumentInstances?
  private let number = Atomic<UInt64>(0)
  /// The position of the registration that this one has taken the place of; 0 for none.
  private let positionTakenOver = Atomic<UInt64>(0)
  /// The form before, or the one before that, and so on, if it has instances.
  private let takenOver = MadeOnce<RegistrationRecord>()
  /// The disposers, if these are shared with other records that have been made since.
  private let sharedDisposers = MadeOnce<DisposerList>()

  final let factoryKind: FactoryKind
  /// Whether only `resolveAsync` can build the instance.
  final let isAsynchronous: Bool
  /// Whether a resolve only calls the factory, which call sites can do.
  final let isBareFactory: Bool
  /// Whether `resolveAsync` only awaits the factory. The class is then ``AsyncFactoryRecord``.
  final let isBareAsyncFactory: Bool
  /// Whether an instance is complete when its factory has returned, and stored as it is.
  final let servesInstanceUnchanged: Bool
  /// Whether request scopes, or resolutions, may keep and build the instances in their cells.
  final let isForCells: Bool
  /// Whether threads may have references to it in stock.
  final var isInStock: Bool { isForCells || isBareAsyncFactory }
  /// Whether a cell can hold the instance without a box: its type is a class.
  final let isClassInstance: Bool
  /// Whether its own state holds the one instance there is, which its factory builds without arguments.
  final let isSimpleSingleton: Bool
  /// Whether its constructions note what they resolve. Constant once others see the registration.
  final var notesDependencies: Bool

  enum FactoryKind: Sendable {
    case simple
    case withArguments
    case asynchronous
    case forwarding
    case constant
  }

  /// - Parameter hashing: compares the arguments of the factory, if it takes any.
  init(
    _ attributes: consuming RegistrationAttributes, factoryKind: FactoryKind,
    hashing: ArgumentHashing? = nil
  ) {
    // One that contradicts itself has no instances: all its resolves come to `refuseFault`.
    let policy = attributes.fault == nil ? attributes.policy : AnyScope.Kind.transient.policy
    let lifecycle = attributes.rare?.values.lifecycle
    let hasNoActions = lifecycle?.isEmpty ?? true
    self.policy = policy
    self.factoryKind = factoryKind
    // Variables: to read a property of this counts a reference.
    let isAsynchronous = factoryKind == .asynchronous || lifecycle?.isAsynchronous ?? false
    let servesUnchanged = !isAsynchronous && hasNoActions && policy.isServedUnchanged
    self.isAsynchronous = isAsynchronous
    let isBare = policy.storage == .none && hasNoActions && attributes.fault == nil
    isBareFactory = isBare && (factoryKind == .simple || factoryKind == .withArguments)
    isBareAsyncFactory = isBare && factoryKind == .asynchronous
    servesInstanceUnchanged = servesUnchanged
    let isSimple = servesUnchanged && factoryKind == .simple
    isForCells =
      ScopeCells.areEnabled && isSimple && !policy.isOfNamedScopes
      && (policy.storage == .requestScope || policy.storage == .resolution)
    isSimpleSingleton = isSimple && policy.isPublishedToSlot
    notesDependencies =
      policy.isPublishedToSlot && !isAsynchronous
      && (factoryKind == .simple || factoryKind == .withArguments)
    #if canImport(ObjectiveC)
      // An object may be no native one, whose address has other bits.
      isClassInstance = false
    #else
      isClassInstance = attributes.key.product is AnyClass
    #endif
    instancesByArguments =
      policy.storage == .registration ? hashing.map { ArgumentInstances($0) } : nil
    self.attributes = consume attributes
    super.init()
  }

  deinit {
    HeldLocks.assertNone(RegistrationRecord.self)
    takenOver.releaseChain { $0.takenOver.takeUnshared() }
  }

  /// Whether resolves may share an instance.
  final var sharesInstances: Bool { policy.storage != .none }
  /// Whether it serves the instances of another registration.
  final var isForwarding: Bool { factoryKind == .forwarding }
  /// Whether the instance is a value that was there before the registration.
  final var isConstant: Bool { factoryKind == .constant }

  final var key: RegistrationKey { attributes.key }
  final var scope: AnyScope { attributes.scope }
  final var location: SourceLocation { attributes.location }
  final var serial: UInt64 { attributes.serial }
  /// What collections and lists are sorted by: an override leaves the order as it is.
  final var position: UInt64 {
    let takenOver = positionTakenOver.load(ordering: .relaxed)
    return takenOver == 0 ? serial : takenOver
  }
  final var lifecycle: Lifecycle { attributes.lifecycle }
  /// The number of the clock at which it became the current registration of its key, the last time.
  final var version: UInt64 {
    get { number.load(ordering: .relaxed) }
    // The slot's word publishes it: readers have found the record there.
    set { number.store(newValue, ordering: .relaxed) }
  }
  final var owner: ContainerCore { unsafe attributes.owner }
  final func isOwned(by container: ContainerCore) -> Bool { unsafe attributes.owner === container }

  /// The key whose instances it serves under its own; `nil` if it has instances of its own.
  var forwardedKey: RegistrationKey? { nil }

  /// The registration that has the instances: another one if this shares those of another version of the container.
  var served: RegistrationRecord { self }

  /// Whether what it builds are instances of other registrations, which have been decorated and reported as theirs.
  var passesInstancesOn: Bool { isForwarding }

  /// Whether its resolves are events of their own.
  var reportsResolves: Bool { true }

  /// What wraps the instances that are built with the dependencies of a container.
  func decorators(of container: ContainerCore) -> [Decorator] {
    container.decorators(of: key.product)
  }

  /// The instance, if its state has held that since before others could see the registration.
  var constant: AnyInstanceBox? { nil }

  /// Whether only the call that begins a construction knows how to build.
  var isBuiltByItsCaller: Bool { false }

  /// Whether `resolveAsync` must take the asynchronous path. The synchronous one is faster.
  var mayBuildAsynchronously: Bool { isAsynchronous }

  /// Whether closing the owner of an instance must do more than release it.
  final var requiresDisposal: Bool { isAsynchronous || hasDisposers }

  /// What disposes of its instances, as far as it is known by now.
  final var disposers: [Disposer] { isToDispose ? disposerList?.all ?? [] : [] }

  final var disposerList: DisposerList? { attributes.disposers ?? sharedDisposers.load() }

  /// The attributes for another record of the same registration, which shares its disposers: with those, too, that are
  /// added later. Records without disposers, which most remain, have no list.
  final var attributesToCopy: RegistrationAttributes {
    var attributes = attributes
    if attributes.disposers == nil, attributes.policy.endsWithContainer {
      attributes.disposers =
        sharedDisposers.load() ?? sharedDisposers.storeIfNil(DisposerList())
    }
    return attributes
  }

  /// Whether one of these is asynchronous.
  final var hasAsynchronousDisposers: Bool {
    guard let disposers = unsafe unretainedDisposers else { return false }
    return unsafe disposers._withUnsafeGuaranteedRef { $0.hasAsynchronous }
  }

  /// The only one, at +0: alive as long as this; `nil` if there is none, or are several.
  final var unretainedSoleDisposer: Unmanaged<Disposer>? {
    guard let disposers = unsafe unretainedDisposers else { return nil }
    return unsafe disposers._withUnsafeGuaranteedRef { unsafe $0.unretainedSole }
  }

  @inline(__always)
  final var hasDisposers: Bool {
    guard let disposers = unsafe unretainedDisposers else { return false }
    return unsafe disposers._withUnsafeGuaranteedRef { !$0.isEmpty }
  }

  /// At +0: each construction asks for them, and a count of references would be a write to memory that threads share.
  // SAFETY: constant, and kept alive by this.
  @inline(__always)
  private var unretainedDisposers: Unmanaged<DisposerList>? {
    guard isToDispose else { return nil }
    return unsafe attributes.disposers.map { unsafe Unmanaged.passUnretained($0) }
      ?? sharedDisposers.unretained
  }

  /// Whether the container knows when its instances end. A fork shares the values of its base, which alone disposes of
  /// them, unless the fork has actions to run with them.
  private var isToDispose: Bool {
    guard policy.endsWithContainer else { return false }
    return
      !(isConstant && attributes.isAdopted && policy.storage == .registration
      && lifecycle.afterInit.isEmpty)
  }

  /// The record, and the earlier forms of the registration that it has taken over.
  final var forms: some Sequence<RegistrationRecord> {
    sequence(first: self) { $0.takenOver.load() }
  }

  /// Whether ``forms`` has no other.
  final var isOnlyForm: Bool { takenOver.isNil }

  /// Has it stand where `other` does. No other thread has the record yet.
  final func takePosition(of other: RegistrationRecord) {
    positionTakenOver.store(other.position, ordering: .relaxed)
  }

  /// Takes over the form in whose place it has just been published: no further instances of that are built, and those that
  /// there are end with this one, unless that has no end that the container knows. The writer lock is held.
  final func takeOverAssumingWriterLockHeld(_ former: RegistrationRecord) {
    guard attributes.policy.endsWithContainer || attributes.hasDisposers,
      let earlier = former.sealKeepingInstances() ? former : former.takenOver.load()
    else { return }
    _ = takenOver.storeIfNil(earlier)
  }

  /// Seals the states of its instances, if the container is to end these.
  ///
  /// - Returns: whether there are instances, or some are being built.
  private func sealKeepingInstances() -> Bool {
    // The later form serves the value itself.
    if !policy.endsWithContainer || policy.storage != .registration || isConstant { return false }
    var hasInstances = false
    for state in sealInstances() {
      _ = state.seal()
      if case .sealed = state.current { continue }
      hasInstances = true
    }
    return hasInstances
  }

  /// The states of the instances that the registration stores.
  final var instances: [InstanceState] {
    instancesByArguments?.all ?? [self]
  }

  /// Seals the states of instances that are not being built, and returns the states of all others.
  final func sealInstances() -> [InstanceState] {
    instancesByArguments?.seal() ?? [self]
  }

  /// Why the container has let its instances go; `nil` if it has not.
  ///
  /// Sequentially consistent: see ``InstanceState/claimEnd()``.
  final var drop: DropMark? { DropMark(rawValue: dropMark.load(ordering: .sequentiallyConsistent)) }

  /// Whether it has; the same load.
  @inline(__always)
  final var isDropped: Bool { dropMark.load(ordering: .sequentiallyConsistent) != 0 }

  final func markDropped(_ mark: DropMark) {
    dropMark.store(mark.rawValue, ordering: .sequentiallyConsistent)
  }

  /// The same registration, of the same version.
  final func withoutInstance() -> RegistrationRecord {
    let copy = copy(attributesToCopy)
    copy.version = version
    return copy
  }

  /// The same registration for another container, without an instance.
  final func copied(to owner: ContainerCore) -> RegistrationRecord {
    var attributes = attributesToCopy
    unsafe attributes.owner = owner
    attributes.isAdopted = true
    return copy(attributes)
  }

  /// The same factory with other attributes, without an instance.
  final func copy(_ attributes: RegistrationAttributes) -> RegistrationRecord {
    let copy = makeCopy(attributes)
    copy.takePosition(of: self)
    return copy
  }

  // MARK: - For each kind of factory

  /// The same factory with other attributes, without an instance. ``copy(_:)`` gives it its position.
  func makeCopy(_ attributes: RegistrationAttributes) -> RegistrationRecord {
    preconditionFailure("RegistrationRecord.makeCopy: must be overridden by each kind of factory")
  }

  /// How the arguments of the factory are compared; `nil` if it takes none, or they are not `Hashable`.
  var hashing: ArgumentHashing? { nil }

  /// Runs the factory.
  func build(_ resolver: Resolver, _ arguments: AnyArguments?) throws -> AnyInstanceBox {
    preconditionFailure("RegistrationRecord.build: must be overridden by synchronous factories")
  }

  /// The same without arguments.
  func build(with resolver: UncountedResolver) throws -> AnyInstanceBox {
    try build(resolver.counted, nil)
  }

  /// Runs the factory.
  ///
  /// - Returns: the object that it returns, with a reference.
  func build(
    in container: ContainerCore, _ construction: ResolutionContext?
  ) throws -> Unmanaged<AnyObject> {
    preconditionFailure("RegistrationRecord.build: must be overridden by simple factories")
  }

  /// A box of the object at an address.
  func box(ofObjectAt address: UnsafeRawPointer) -> AnyInstanceBox {
    preconditionFailure("RegistrationRecord.box: must be overridden by simple factories")
  }

  /// Runs the factory, an asynchronous one too.
  nonisolated(nonsending)
    func buildAsync(
      _ resolver: Resolver, _ arguments: AnyArguments?
    ) async throws -> AnyInstanceBox
  {
    try build(resolver, arguments)
  }

  /// Runs the factory of a registration that ``isBareAsyncFactory``, and leaves the product in memory for one.
  nonisolated(nonsending)
    func buildAsync(
      with resolver: UncountedResolver, at place: UnsafeMutableRawPointer
    ) async throws
  {
    preconditionFailure("RegistrationRecord.buildAsync: must be overridden by bare factories")
  }
}

extension InstanceStore {
  private static let mayHaveLateDisposers = Atomic<Bool>(false)

  /// Has stores look, at their end, for disposers that were added when there were instances. Called before a registration is
  /// changed that has some in stores.
  static func expectLateDisposers() {
    mayHaveLateDisposers.store(true, ordering: .relaxed)
  }

  /// Whether an instance may have to be disposed of whose registration had no disposers when it was asked for first.
  // A store that ends beside the modifier need not know of its disposer.
  static var expectsLateDisposers: Bool { mayHaveLateDisposers.load(ordering: .relaxed) }

  var hasEntryWithDisposers: Bool {
    var isRequired = false
    forEachEntry { if $0.record.hasDisposers { isRequired = true } }
    return isRequired
  }

  /// The state of a registration's instance, made on first use; `nil` once the store is sealed.
  ///
  /// - Parameter registry: the container that the instance belongs to.
  func state(
    of record: RegistrationRecord, in registry: ContainerCore, arguments: AnyArguments?
  ) -> InstanceState? {
    let key = EntryKey(registration: record, container: registry, arguments: arguments)
    return entry(of: key, payload: record, requiresDisposal: record.requiresDisposal)
  }

  /// The state of a registration's instance, if it has been made and the store has not been closed.
  func existingState(
    of record: RegistrationRecord, in registry: ContainerCore, arguments: AnyArguments?
  ) -> InstanceState? {
    existingEntry(
      of: EntryKey(registration: record, container: registry, arguments: arguments))
  }
}

extension StoredInstance {
  /// The registration of an instance in an ``InstanceStore``.
  var record: RegistrationRecord {
    // SAFETY: only `state(of:in:arguments:)` makes entries of stores, with this payload.
    unsafe unsafeDowncast(payload.unsafelyUnwrapped, to: RegistrationRecord.self)
  }
}
