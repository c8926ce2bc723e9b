// SPDX-License-Identifier: MIT

/// A random graph: containers, services, and the callers that resolve them. A plain value, which
/// `GraphDescription+Text` prints and reads.
public struct GraphDescription: Equatable, Sendable {
  public var containers: [ContainerKind]
  public var services: [ServiceDescription]
  public var callers: [CallerDescription]
  /// The containers that close while the callers resolve.
  public var closings: [ClosingDescription]
  /// The registrations that change while the callers resolve.
  public var changes: [ChangeDescription]
  public var watchers: [WatcherDescription]

  public init(
    containers: [ContainerKind] = [.root], services: [ServiceDescription] = [],
    callers: [CallerDescription] = [], closings: [ClosingDescription] = [],
    changes: [ChangeDescription] = [], watchers: [WatcherDescription] = []
  ) {
    self.containers = containers
    self.services = services
    self.callers = callers
    self.closings = closings
    self.changes = changes
    self.watchers = watchers
  }
}

public enum ContainerKind: Equatable, Sendable {
  case root
  case child(of: Int)
  case scope(of: Int)
  /// A request scope with a name.
  case request(of: Int)

  public var parent: Int? {
    switch self {
    case .root: nil
    case .child(let parent), .scope(let parent), .request(let parent): parent
    }
  }
}

public struct ServiceDescription: Equatable, Sendable {
  public var lifetime: Lifetime
  /// Whether its factory is asynchronous.
  public var isAsync = false
  /// Whether its factory is an initializer whose parameters are resolved by their types.
  public var isWired = false
  /// The index of the container with its registration.
  public var container = 0
  /// A forward has exactly one dependency, its target.
  public var factory: [Need] = []
  /// In the order in which they are added.
  public var decorators: [DecoratorDescription] = []
  public var actions: [ActionDescription] = []
  public var failure: FailureDescription?
  public var disposer: DisposerKind?
  public var pause = Pause.none
  /// What the deinits of its instances do.
  public var farewells: [Farewell] = []

  public enum Lifetime: String, CaseIterable, Sendable {
    case transient, graph, scoped, singleton, weak, cached, custom, forward
    /// Scoped in the request scopes of a name.
    case named
    /// Time-limited to so short a time that most resolves find an expired instance.
    case expiring
    /// As `expiring`, but the old instance is served during the next construction.
    case stale
  }

  public enum DisposerKind: String, CaseIterable, Sendable {
    case sync, async
  }

  /// A delay before a factory or an action returns, which widens the windows of races.
  public enum Pause: String, CaseIterable, Sendable {
    case none, yield, spin, sleep
    /// Never generated: a hang and a crash for tests of the suite itself.
    case forever, trap

    public static let generated: [Pause] = [.none, .yield, .spin, .sleep]
  }

  public init(_ lifetime: Lifetime) {
    self.lifetime = lifetime
  }
}

public struct ActionDescription: Equatable, Sendable {
  public var isAsync = false
  public var needs: [Need] = []

  public init(isAsync: Bool = false, needs: [Need] = []) {
    self.isAsync = isAsync
    self.needs = needs
  }
}

/// A decorator, which is always synchronous.
public struct DecoratorDescription: Equatable, Sendable {
  /// The index of the container that has it.
  public var container: Int
  public var needs: [Need] = []

  public init(in container: Int, needs: [Need] = []) {
    self.container = container
    self.needs = needs
  }
}

public struct FailureDescription: Equatable, Sendable {
  public enum Place: String, CaseIterable, Sendable {
    case factory, action
    /// The first decorator.
    case decorator
  }

  public var place: Place
  public var isPermanent: Bool

  public init(_ place: Place, isPermanent: Bool) {
    self.place = place
    self.isPermanent = isPermanent
  }
}

/// One dependency: a service, and the route by which it is resolved.
public struct Need: Equatable, Sendable {
  public var target: Int
  public var route: Route
  /// Resolved with `try?`.
  public var isOptional: Bool

  public enum Route: String, CaseIterable, Sendable {
    /// The resolver of the factory or the action.
    case resolver
    /// The captured container, in which the service is registered.
    case container
    /// A provider made and called at once.
    case provider
    /// A lazy value, resolved and used at once.
    case lazy
    /// An optional parameter of a wired initializer, for something that is registered.
    case maybe
    /// The resolver, on a thread; the factory waits for it.
    case thread
    /// The resolver, in a child task.
    case childTask
    /// The resolver, in an unstructured task; the factory waits for it.
    case task
    /// The resolver, in a detached task; the factory waits for it.
    case detachedTask
    /// The resolver, on a thread; the factory does not wait for it.
    case spawnedThread
    /// The resolver, in an unstructured task; the factory does not wait for it.
    case spawnedTask
    /// The captured container, on a thread; the factory does not wait for it.
    case unrelatedThread
    /// The captured container, in an unstructured task; the factory does not wait for it.
    case unrelatedTask
  }

  public init(_ target: Int, by route: Route = .resolver, isOptional: Bool = false) {
    self.target = target
    self.route = route
    self.isOptional = isOptional
  }
}

extension Need.Route {
  /// Whether the factory goes on without the instance.
  public var isSpawned: Bool {
    switch self {
    case .spawnedThread, .spawnedTask, .unrelatedThread, .unrelatedTask: true
    default: false
    }
  }

  /// Whether the resolve has no connection to the construction that began it.
  public var isUnrelated: Bool { self == .unrelatedThread || self == .unrelatedTask }

  /// Whether a new resolution begins, as the container is asked and not the resolver.
  public var beginsResolution: Bool {
    self == .container || self == .provider || self == .lazy || isUnrelated
  }

  /// Whether an initializer that is wired can have a parameter for it.
  func isWirable(_ isAsync: Bool) -> Bool {
    switch self {
    case .resolver, .lazy, .maybe: true
    case .provider: !isAsync
    default: false
    }
  }

  public static let synchronous: [Need.Route] = [
    .resolver, .container, .provider, .thread, .spawnedThread, .spawnedTask, .unrelatedThread,
    .unrelatedTask,
  ]

  public static let asynchronous: [Need.Route] = [
    .resolver, .container, .childTask, .task, .detachedTask, .spawnedTask, .unrelatedTask,
  ]
}

/// A thread or a task that resolves services, one after the other.
public struct CallerDescription: Equatable, Sendable {
  public var isTask = false
  public var container = 0
  public var services: [Int] = []
  /// The time between the start of the task and its cancellation; `nil` for none.
  public var cancelledAfter: Int?

  public init(
    isTask: Bool = false, container: Int = 0, services: [Int] = [], cancelledAfter: Int? = nil
  ) {
    self.isTask = isTask
    self.container = container
    self.services = services
    self.cancelledAfter = cancelledAfter
  }
}

/// The closing of a container, a while after the callers have begun.
public struct ClosingDescription: Equatable, Sendable {
  public enum Kind: String, CaseIterable, Sendable {
    case close, shutdown
    /// Without `await`, on a thread. The container may refuse it.
    case synchronousClose
  }

  public var container: Int
  public var kind: Kind
  public var after: Int

  public init(_ container: Int, by kind: Kind = .close, after: Int = 0) {
    self.container = container
    self.kind = kind
    self.after = after
  }
}

/// A change of a registration, a while after the callers have begun.
public struct ChangeDescription: Equatable, Sendable {
  public enum Kind: String, CaseIterable, Sendable {
    /// Releases its instance.
    case release
    /// Registers it once more.
    case override
  }

  public var service: Int
  public var kind: Kind
  public var after: Int

  public init(_ service: Int, by kind: Kind, after: Int = 0) {
    self.service = service
    self.kind = kind
    self.after = after
  }
}
