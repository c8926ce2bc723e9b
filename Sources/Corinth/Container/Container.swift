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
/// Registering a key again overrides it. The instances that a container stores are released when their
/// registration is overridden or removed, and when the container is deallocated.
///
/// ## Guarantees
/// - A singleton is built exactly once for each container and registration, for any number of threads.
/// - A resolve waits only for the construction of the instance that it asks for. A wait that could not
///   end is an error.
/// - A resolve returns an instance of a registration that was current at some moment of the call.
/// - A factory that throws has no effect on later resolves: the next one runs it again.
/// - No lock is held while a factory, a closure or a deinit of yours runs.
///
/// ## Concurrency
/// Every operation is safe from any thread or task at any time. Resolving a ready singleton or a
/// transient is lock-free; registering takes the container's writer lock.
public final class Container: Sendable {
  @usableFromInline let registry: ContainerCore

  /// The container whose registrations this one's shadow; `nil` for none.
  public var parent: Container? {
    parentLink.isNil ? registry.parent?.container : parentLink.object
  }

  /// The container that this is a fork of; `nil` for none.
  public var base: Container? { baseLink.object }

  /// None also for a scope that holds its parent: see ``ContainerCore/hold(_:)``.
  private let parentLink: ChainLink<Container>
  private let baseLink: ChainLink<Container>

  /// The policy for a second registration of a key.
  public var duplicates: DuplicatePolicy { registry.duplicates }

  /// The scope of registrations that name none.
  public let defaultScope: Scope<any Sendable>

  /// An empty container, which looks up keys that it lacks in its parent, if it has one.
  ///
  /// ```swift
  /// let application = Container(duplicates: .refuse)
  /// let tenant = Container(parent: application)
  /// try tenant.register(Database.self, scope: .singleton) { _ in TenantDatabase() }
  /// ```
  ///
  /// An instance's dependencies are resolved in the container that owns the instance. Transient and graph
  /// instances belong to the container that was asked: they get the child's overrides. Singletons, weak and
  /// cached instances belong to the container that they are registered in: they never get them.
  ///
  /// The child keeps its parent alive, not the reverse. Without registrations of its own it takes a few
  /// hundred bytes. It inherits what is left out here.
  ///
  /// - Parameters:
  ///   - parent: where keys are looked up that are not registered here; `nil` for nowhere.
  ///   - defaultScope: the scope of registrations that name none, ``Scope/transient`` if no ancestor has another one. Factories
  ///     with arguments are transient all the same.
  ///   - duplicates: how a second registration of a key is treated; ``DuplicatePolicy/override`` if no ancestor says otherwise.
  ///   - unwrapsOptionals: whether the registration of an optional type serves the type that it wraps, where nothing is
  ///     registered under that itself. When its factory builds `nil`, the resolve throws an underlying error that says so. For
  ///     the reverse, a registration that serves its optional, see ``Registration/implements(_:)``.
  public convenience init(
    parent: Container? = nil, defaultScope: Scope<any Sendable>? = nil,
    duplicates: DuplicatePolicy? = nil, unwrapsOptionals: Bool = false
  ) {
    self.init(
      fingerprintBits: 64, parent: parent,
      defaultScope: defaultScope ?? parent?.defaultScope ?? .transient, duplicates: duplicates)
    if unwrapsOptionals { _ = registry.implicitRegistrations(unwrappingOptionals: true) }
  }

  /// - Parameters:
  ///   - fingerprintBits: of a root: the number of bits used of a key's hash in its tree, 1 to 64; few make keys collide.
  ///   - isScope: whether it stores `.scoped` instances.
  ///   - scopeLocation: where it was made, if it is a scope.
  ///   - duplicates: how a second registration of a key is treated; the policy of the parent when left out.
  @inline(__always)
  package init(
    fingerprintBits: UInt32, parent: __shared Container? = nil, isScope: Bool = false,
    scopeLocation: SourceLocation? = nil, defaultScope: Scope<any Sendable> = .transient,
    duplicates: DuplicatePolicy? = nil
  ) {
    let holdsParent = isScope && (parent.map { $0.registry.hold($0) } ?? false)
    parentLink = ChainLink(holdsParent ? nil : parent)
    baseLink = ChainLink(nil)
    self.defaultScope = defaultScope
    registry = ContainerCore.make(
      fingerprintBits: fingerprintBits, parent: parent?.registry, isScope: isScope,
      scopeLocation: scopeLocation, duplicates: duplicates)
    registry.ownerReference.store(self)
    if let parent, registry.parentHasImplicitKeys {
      registry.inherit(from: parent.registry, for: self)
    }
  }

  /// - Parameter base: the container that this is a fork of.
  init(forkOf base: Container) {
    parentLink = ChainLink(nil)
    baseLink = ChainLink(base)
    defaultScope = base.defaultScope
    registry = ContainerCore.forked(from: base.registry)
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
      guard let successor = unsafe held.letGo() else { return }
      unsafe ChainLink(unretained: Unmanaged<Container>.fromOpaque(successor.toOpaque()))
        .release(asPartOf: self)
      return
    }
    // Instances may hold providers or resolvers, which hold the core: this breaks the cycles.
    if unsafe !core.handOver(from: Unmanaged.passUnretained(self), to: Container.makeSuccessor) {
      unsafe core.end()
    }
    parentLink.release(asPartOf: self)
    baseLink.release(asPartOf: self)
  }
}

extension ContainerCore {
  /// The container that this is the core of, `nil` once that is deallocated.
  var container: Container? {
    owner(or: Container.makeSuccessor).map { unsafe unsafeDowncast($0, to: Container.self) }
  }
}

extension ContainerLayer {
  /// The container that it keeps alive. By its core it is not found once the layer has been let go of, which may be now.
  // SAFETY: layers are made of containers only.
  var container: Container { unsafe unsafeDowncast(owner, to: Container.self) }
}
