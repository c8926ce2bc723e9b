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
  final let factoryKind: FactoryKind
  final let plan: RegistrationPlan
  /// The ``DropMark`` of a registration that the container has let go of.
  private final let dropMark = Atomic<UInt8>(0)
  /// The states by argument value, if the registration stores an instance for every value.
  final let instancesByArguments: ArgumentInstances?
  private let number = Atomic<UInt64>(0)
  /// The position taken over from a replaced registration; 0 for none.
  private let positionTakenOver = Atomic<UInt64>(0)
  /// The latest earlier form of the registration with instances; a chain of forms.
  final let takenOver = MadeOnce<RegistrationRecord>()
  /// The disposers of the instances whose end the container knows; `nil` before the first disposer,
  /// unless records derived later share the list.
  private let disposersOfInstances: MadeOnce<DisposerList>

  init(_ attributes: consuming RegistrationAttributes, factoryKind: FactoryKind) {
    // A contradictory registration has no instances: all resolves end in `refuseFault`.
    let policy = attributes.fault == nil ? attributes.policy : AnyScope.Kind.transient.policy
    self.policy = policy
    self.factoryKind = factoryKind
    plan = RegistrationPlan(factoryKind, policy, attributes)
    if policy.storage == .registration, case .arguments(let hashing?) = attributes.intake {
      instancesByArguments = ArgumentInstances(
        hashing, isWeak: policy.box == .weak, cache: attributes.scope.cachePolicy)
    } else {
      instancesByArguments = nil
    }
    let isToDispose = Self.isToDispose(attributes, policy, factoryKind)
    disposersOfInstances = MadeOnce(isToDispose ? attributes.disposers : nil)
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
    plan == .unchanged || plan == .simpleSingleton || isInCells
  }
  /// Whether constructions note what they resolve, for disposers that run side by side.
  final var notesDependencies: Bool {
    factoryKind.notesDependencies && policy.isPublishedToSlot && plan != .asynchronous
  }
  /// Whether threads may hold batched references to the record.
  final var isInStock: Bool { isInCells || plan == .bareAsyncFactory }
  /// Whether cells may have the instances.
  final var isInCells: Bool { plan == .inCells || plan == .objectsInCells }
  /// Whether a cell can hold the instance without a box.
  final var isClassInstance: Bool { plan == .objectsInCells }
  /// Whether resolves may share an instance.
  final var sharesInstances: Bool { policy.storage != .none }
  /// Whether the record serves the instances of a different registration.
  final var isForwarding: Bool { factoryKind.isForwarding }
  /// Whether the record hides the registration of an ancestor.
  final var isAbsence: Bool { factoryKind == .absence }
  /// Whether the instance is a value that existed before the registration.
  final var isConstant: Bool { factoryKind == .constant }

  /// How to compare arguments; `nil` for a factory without, or if any is not `Hashable`.
  final var hashing: ArgumentHashing? {
    if case .arguments(let hashing) = attributes.intake { hashing } else { nil }
  }

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

  /// The owner, if `container` or an ancestor; `nil` for an owner that may have ended: a child may
  /// end before its parent scope, and the scope keeps the instances.
  final func owner(around container: ContainerCore) -> ContainerCore? {
    container.firstOfSelfAndAncestors { isOwned(by: $0) ? $0 : nil }
  }

  /// The key whose instances a forward serves; `nil` for registrations with own instances.
  var forwardedKey: RegistrationKey? { nil }

  /// The registration with the instances: of an older version of the container, if shared.
  var served: RegistrationRecord { self }

  /// The decorators of instances built with the dependencies of a container.
  func decorators(of container: ContainerCore) -> [Decorator] {
    container.decorators(of: key)
  }

  /// The value of a registration of one, without decorators.
  var value: Any? { nil }

  /// The instance, if stored in the state before the record became visible to other threads.
  var constant: AnyInstanceBox? { nil }

  /// Whether closing the owner of an instance must do more than release it.
  final var requiresDisposal: Bool { isAsynchronous || hasDisposers }

  /// The disposers of the instances, as known by now.
  final var disposers: [Disposer] { disposersOfInstances.load()?.all ?? [] }

  final var disposerList: DisposerList? { attributes.disposers ?? disposersOfInstances.load() }

  /// The attributes for a further record of the registration, with a shared list of disposers:
  /// later additions reach all records. Most records never have disposers, and get no list.
  final var attributesToCopy: RegistrationAttributes {
    var attributes = attributes
    if attributes.disposers == nil, attributes.policy.endsWithContainer {
      attributes.disposers =
        disposersOfInstances.load() ?? disposersOfInstances.storeIfNil(DisposerList())
    }
    return attributes
  }

  // At +0, all: every construction reads the disposers, and a count would write to shared memory.
  // SAFETY: constant, and kept alive by the record.

  /// Whether any disposer is asynchronous.
  final var hasAsynchronousDisposers: Bool {
    unsafe disposersOfInstances.unretained?._withUnsafeGuaranteedRef { $0.hasAsynchronous } ?? false
  }

  /// The only disposer, at +0, alive as long as the record; `nil` for none, or for several.
  final var unretainedSoleDisposer: Unmanaged<Disposer>? {
    guard let disposers = unsafe disposersOfInstances.unretained else { return nil }
    return unsafe disposers._withUnsafeGuaranteedRef { unsafe $0.unretainedSole }
  }

  @inline(__always)
  final var hasDisposers: Bool {
    unsafe disposersOfInstances.unretained?._withUnsafeGuaranteedRef { !$0.isEmpty } ?? false
  }

  /// Whether the container knows the end of the instances. Values adopted by a fork are disposed of
  /// by the base, unless the fork has its own actions to run with the values.
  private static func isToDispose(
    _ attributes: borrowing RegistrationAttributes, _ policy: ScopePolicy, _ kind: FactoryKind
  ) -> Bool {
    policy.endsWithContainer
      && !(kind == .constant && attributes.isAdopted && policy.storage == .registration
        && attributes.lifecycle.afterInit.isEmpty)
  }

  /// Gives the record the position of `other`. No other thread has the record yet.
  final func takePosition(of other: RegistrationRecord) {
    positionTakenOver.store(other.position, ordering: .relaxed)
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

  /// The error of every resolve of a registration at fault.
  final var faultError: ResolutionError? {
    attributes.fault.map { .invalidRegistration(.init(failureOf: self, $0.error)) }
  }

  /// Out of line, to keep the frames of nested resolves small.
  @inline(never)
  final func refuseFault() throws(ResolutionError) {
    if let faultError { throw faultError }
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
    attributes.markAdopted()
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
    preconditionFailure("RegistrationRecord.makeCopy: must be overridden by each kind in slots")
  }

  /// Runs the factory.
  func build(
    _ resolver: UncountedResolver, _ arguments: AnyArguments?
  ) throws -> AnyInstanceBox {
    preconditionFailure("RegistrationRecord.build: must be overridden by synchronous factories")
  }

  /// Runs a factory without arguments.
  ///
  /// - Returns: a word for a cell, which may hold the instance without a box, with a reference.
  func buildForCell(_ resolver: UncountedResolver) throws -> PlaceWord {
    PlaceWord(holding: try build(resolver, nil))
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
    try build(UncountedResolver(resolver), arguments)
  }
}

/// The properties of a registration that lists, pages, texts and validations show.
extension RegistrationRecord {
  /// Whether request scopes are made with values of the registration.
  final var isInput: Bool { attributes.isInput }

  final var askerKind: AskerKind {
    if isForwarding { return .forward }
    if factoryKind == .asynchronous { return .asynchronous }
    return attributes.parameters == nil ? .factory : .wired
  }

  /// The position in the described list: a version's registration has the hidden one's.
  final var describedPosition: UInt64 {
    guard let base = owner.baseOfLayer else { return position }
    return base.table.find(key)?.registration?.position ?? position
  }

  /// Whether an instance is stored, for any arguments. A ``CustomStorage`` is not asked.
  final var storesInstance: Bool { instances.contains { $0.strongBox(of: self) != nil } }

  /// The type of the instances, as known without running a factory; `nil` for a mere protocol.
  ///
  /// - Parameter container: the container asked, in which a forward looks up the target.
  final func implementation(in container: ContainerCore) -> (any Any.Type)? {
    guard let target = forwardedKey else { return served.ownImplementation }
    return container.registration(behind: target)?.served.ownImplementation
  }

  private var ownImplementation: (any Any.Type)? {
    if let value { return type(of: value) }
    return typeOfStoredInstances ?? owner.recordedIfAny?.implementation(of: serial)
      ?? (isErased(key.product) ? nil : key.product)
  }

  /// The type of all stored instances, without decorators; `nil` for none, or if the types differ.
  private var typeOfStoredInstances: (any Any.Type)? {
    let isDecorated = owner.decorates(key.product)
    var found: (any Any.Type)?
    for instance in instances {
      let box = instance.strongBox(of: self)
      guard let type = box?.typeFromFactory(isDecorated: isDecorated) else { continue }
      if let found, found != type { return nil }
      found = type
    }
    return found
  }

  final var place: ValidationFinding.Place { .init(key: key, location: location) }

  /// Whether a request scope must be made with a value: an optional input is nil without.
  final var isNeededInput: Bool { isInput && !isOptional(key.product) }

  // MARK: - Dependencies

  /// Whether a closure builds the instances, and the closure's dependencies were not declared.
  final var isFactoryUnknown: Bool {
    let attributes = attributes
    return attributes.parameters == nil && attributes.declaredDependencies == nil
      && !(isConstant || isForwarding || isInput)
  }

  /// The part of a registration that may resolve anything.
  final var unknownPart: String {
    if isFactoryUnknown { return "its factory is a closure" }
    if !lifecycle.afterInit.isEmpty { return "its afterInit actions are closures" }
    if lifecycle.customStorage != nil { return "its instances are stored by a CustomStorage" }
    return "its decorators are closures"
  }

  // MARK: - Waiting

  /// Whether the factory may wait for dependencies: not if only the actions are asynchronous.
  final var hasAsynchronousFactory: Bool { factoryKind == .asynchronous }

  /// Whether all resolves of the key get one instance.
  final var isSharedUnderItsKey: Bool { policy.isPublishedToSlot && key.arguments == nil }

  /// Whether the shared instance has been built.
  final var isThere: Bool { isSharedUnderItsKey && storesInstance }
}

extension InstanceState {
  /// The box of the instance, if there is one: of a weak instance, a box that keeps it alive.
  fileprivate func strongBox(of record: RegistrationRecord) -> AnyInstanceBox? {
    guard record.policy.box == .weak else { return builtBox }
    // The section keeps the box alive.
    let section = Section.enter()
    defer { section.leave() }
    // SAFETY: a weak registration's states only ever hold boxes of this class.
    return unsafe load().builtContent(as: AnyWeakBox.self)?._withUnsafeGuaranteedRef {
      $0.makeStrongBox()
    }
  }
}
