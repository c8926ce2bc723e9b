// SPDX-License-Identifier: MIT

/// Holds registrations, and resolves instances from them.
///
/// ```swift
/// let container = Container()
/// try container.register(Logger.self, scope: .singleton) { _ in ConsoleLogger() }
/// try container.register(Service.self) { resolver in
///   ConcreteService(logger: try resolver.resolve(Logger.self))
/// }
/// let service = try container.resolve(Service.self)
/// ```
///
/// Registering a key again overrides the registration. The stored instances of a container are
/// released when their registration is overridden or removed, and when the container is
/// deallocated.
///
/// ## Guarantees
/// - A singleton is built exactly once per container and registration, for any number of threads.
/// - A resolve waits only for the construction of the requested instance. A wait that could not end
///   is an error.
/// - A resolve returns an instance of a registration that was current at some moment of the call.
/// - A factory that throws has no effect on later resolves: the next resolve runs the factory
///   again.
/// - No lock is held while a factory, a closure or a deinit of yours runs.
///
/// ## Concurrency
/// Every operation is safe from any thread or task at any time. Resolving a ready singleton or a
/// transient is lock-free; registering takes the container's writer lock.
public final class Container: Sendable {
  @usableFromInline let registry: ContainerCore

  /// The container whose registrations this container's registrations shadow; `nil` for none.
  public var parent: Container? {
    parentLink.isNil ? registry.parent?.container : parentLink.object
  }

  /// The container from which this container was forked; `nil` for none.
  public var base: Container? { baseLink.object }

  /// `nil` also for a scope that holds the parent: see ``ContainerCore/hold(_:)``.
  private let parentLink: ChainLink<Container>
  private let baseLink: ChainLink<Container>

  /// The policy for a second registration of a key.
  public var duplicates: DuplicatePolicy { registry.duplicates }

  /// The scope of registrations without a given scope.
  public let defaultScope: Scope<any Sendable>

  /// Makes an empty container, which looks up missing keys in the parent, if any.
  ///
  /// ```swift
  /// let application = Container(duplicates: .refuse)
  /// let tenant = Container(parent: application)
  /// try tenant.register(Database.self, scope: .singleton) { _ in TenantDatabase() }
  /// ```
  ///
  /// An instance's dependencies are resolved in the container that owns the instance. Transient and
  /// graph instances belong to the asked container: such instances get the child's overrides.
  /// Singletons, weak and cached instances belong to the container of their registration: such
  /// instances never get the child's overrides.
  ///
  /// The child keeps the parent alive, not the reverse. Without registrations of its own, a child
  /// takes a few hundred bytes. A child inherits every setting that is left out here.
  ///
  /// - Parameters:
  ///   - parent: the container in which missing keys are looked up; `nil` for none.
  ///   - defaultScope: the scope of registrations without a given scope, ``Scope/transient`` if no
  ///     ancestor has a different scope. Factories with arguments are transient all the same.
  ///   - duplicates: the treatment of a second registration of a key; ``DuplicatePolicy/override``
  ///     if no ancestor says otherwise.
  ///   - unwrapsOptionals: whether the registration of an optional type serves the wrapped type,
  ///     where nothing is registered under the wrapped type itself. When the factory builds `nil`,
  ///     the resolve throws an underlying error that says so. For the reverse, a registration that
  ///     serves its optional, see ``Registration/implements(_:)``.
  ///   - file: the file of the call, for messages.
  ///   - line: the line of the call.
  public convenience init(
    parent: Container? = nil, defaultScope: Scope<any Sendable>? = nil,
    duplicates: DuplicatePolicy? = nil, unwrapsOptionals: Bool = false,
    file: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(
      fingerprintBits: 64, parent: parent, location: SourceLocation(file: file, line: line),
      defaultScope: defaultScope ?? parent?.defaultScope ?? .transient, duplicates: duplicates)
    if unwrapsOptionals { _ = ImplicitRegistrations.of(registry, unwrappingOptionals: true) }
  }

  /// - Parameters:
  ///   - fingerprintBits: for a root: the number of bits used of a key's hash in the container
  ///     tree, 1 to 64; few bits make keys collide.
  ///   - isScope: whether the container stores `.scoped` instances.
  ///   - location: the source location of the making call; `nil` if the library makes the
  ///     container.
  ///   - duplicates: the treatment of a second registration of a key; the policy of the parent when
  ///     left out.
  @inline(__always)
  package init(
    fingerprintBits: UInt32, parent: __shared Container? = nil, isScope: Bool = false,
    location: SourceLocation? = nil, defaultScope: Scope<any Sendable> = .transient,
    duplicates: DuplicatePolicy? = nil
  ) {
    let holdsParent = isScope && (parent.map { $0.registry.hold($0) } ?? false)
    parentLink = ChainLink(holdsParent ? nil : parent)
    baseLink = ChainLink(nil)
    self.defaultScope = defaultScope
    registry = ContainerCore.make(
      fingerprintBits: fingerprintBits, parent: parent?.registry, isScope: isScope,
      location: location, duplicates: duplicates)
    registry.ownerReference.store(self)
    if let parent, registry.parentHasImplicitKeys {
      registry.inherit(from: parent.registry, for: self)
    }
  }

  /// - Parameters:
  ///   - base: the container to fork.
  ///   - location: where the fork is made; `nil` if not by the user.
  init(forkOf base: Container, at location: SourceLocation? = nil) {
    parentLink = ChainLink(nil)
    baseLink = ChainLink(base)
    defaultScope = base.defaultScope
    registry = ContainerCore.forked(from: base.registry, at: location)
    registry.ownerReference.store(self)
    if !base.registry.implicit.isNil { registry.inheritSettings(of: base.registry) }
  }

  /// - Parameter former: a container whose deinit has begun, but whose scopes live on.
  private init(succeeding former: Container) {
    parentLink = former.parentLink
    parentLink.retain()
    baseLink = former.baseLink
    baseLink.retain()
    defaultScope = former.defaultScope
    registry = former.registry
  }

  fileprivate static func makeSuccessor(of former: AnyObject) -> AnyObject {
    unsafe Container(succeeding: unsafeDowncast(former, to: Container.self))
  }

  deinit {
    let core = unsafe Unmanaged.passUnretained(registry)
    if parentLink.isNil, let held = unsafe core.parent {
      unsafe core.end()
      return unsafe letGo(of: held)
    }
    // Instances may hold providers or resolvers, which hold the core: ending the core breaks the
    // cycles.
    if unsafe !core.handOver(from: Unmanaged.passUnretained(self), to: Container.makeSuccessor) {
      unsafe core.end()
    }
    parentLink.release(asPartOf: self)
    baseLink.release(asPartOf: self)
  }

  /// Ends the hold of a scope on its parent.
  @inline(__always)
  private func letGo(of held: Unmanaged<ContainerCore>) {
    guard let successor = unsafe held.letGo() else { return }
    unsafe ChainLink(unretained: Unmanaged<Container>.fromOpaque(successor.toOpaque()))
      .release(asPartOf: self)
  }
}

/// Request scopes used again together with their cores: those of `withScope`, whose end is known.
// SAFETY: a spare, to which nobody else refers, has an ended core without a parent.
extension Container: ThreadSpare {
  static var kind: ThreadSpares.Kind { .owner }

  /// A scope of this container that the calling thread has kept; `nil` for none.
  @inline(__always)
  func beginSpareScope(at location: SourceLocation) -> Container? {
    guard !registry.isScope, let spare = unsafe ThreadSpares.take(Container.self) else {
      return nil
    }
    return unsafe begin(spare, at: location)
  }

  /// Begins the next use of a scope of ``keepForNextScope()``, as a scope of this container; `nil`
  /// if the scope has to count a reference to this container, or has another default scope. Out of
  /// line, to keep the making of new scopes short.
  @inline(never)
  private func begin(_ spare: Unmanaged<Container>, at location: SourceLocation) -> Container? {
    let isBegun = unsafe spare._withUnsafeGuaranteedRef { scope in
      guard scope.defaultScope.erased.kind == defaultScope.erased.kind,
        defaultScope.erased.detail == nil, registry.hold(self)
      else { return false }
      unsafe scope.registry.begin(below: .passUnretained(registry), at: location)
      if scope.registry.parentHasImplicitKeys { scope.registry.inherit(from: registry, for: scope) }
      return true
    }
    if isBegun { return unsafe spare.takeRetainedValue() }
    // Not kept: spares of another default scope would take the places of those that can be used.
    unsafe spare.release()
    return nil
  }

  /// Keeps a closed scope as the calling thread's spare, if only the caller refers to the scope,
  /// and the scope has used nothing but inputs and cells.
  @inline(__always)
  func keepForNextScope() {
    guard parentLink.isNil, defaultScope.erased.detail == nil,
      unsafe ThreadSpares.isReferencedOnce(Unmanaged.passUnretained(self)),
      let held = unsafe Unmanaged.passUnretained(registry).parent,
      !registry.hasSlots, registry.endForNextUse()
    else { return }
    unsafe ThreadSpares.keep(referencedOnce: .passUnretained(self))
    unsafe letGo(of: held)
  }
}

extension ContainerCore {
  /// The container of this core, `nil` once the container is deallocated.
  var container: Container? {
    owner(or: Container.makeSuccessor).map { unsafe unsafeDowncast($0, to: Container.self) }
  }
}

extension ContainerLayer {
  /// The container that the layer keeps alive. The core does not lead to the container once the
  /// layer has been let go of, which may be now.
  // SAFETY: layers are made of containers only.
  var container: Container { unsafe unsafeDowncast(owner, to: Container.self) }
}
