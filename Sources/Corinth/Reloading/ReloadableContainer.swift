// SPDX-License-Identifier: MIT

internal import Synchronization

/// A container whose registrations are replaced while units of work run, together with all that was built from them.
///
/// ```swift
/// let reloadable = ReloadableContainer(container)
/// try await reloadable.reload { version in
///   try version.register(value: settings)
/// }
/// try await reloadable.scopes.withScope { scope in try scope.resolve(Handler.self).handle() }
/// ```
///
/// A reload makes a *version*: a child of the container with the new registrations, and new instances of all that depends on
/// them, over any number of steps. Whatever else has been built is shared. The next unit of work gets the new version, and
/// those that have begun keep the one before. A unit therefore never sees instances of two versions.
///
/// What depends on what is known by the edges of ``Container/graph()``. A registration whose dependencies are not known may
/// depend on anything: the reload is refused, with the name of that.
///
/// Make this when everything is registered, before units of work begin, and register with reloads only from then on. The
/// container itself goes on serving its own registrations: what a reload has disposed of is built again there when
/// asked for, and is disposed of by the next reload that reaches what it was built from, or at the end.
///
/// The container keeps its versions until it is closed: ``Container/shutdown(draining:timeLimit:totalTimeLimit:)`` ends these
/// first, the newest one before the others, with one total time limit. From the beginning of its end on, neither the
/// container nor
/// a version serves anything. Not closed, it is never deallocated. All values that are made of one container have the
/// same versions.
///
/// ## Concurrency
/// Safe to use from any thread or task at any time. Reloads run one after the other.
public struct ReloadableContainer: Sendable {
  let base: Container
  let versions: ContainerVersions

  /// Makes a container reloadable.
  ///
  /// ```swift
  /// let reloadable = ReloadableContainer(container)
  /// ```
  ///
  /// - Parameter container: the container with all registrations, or a version of it. No request scope.
  ///
  /// Takes the container's writer lock.
  public init(_ container: Container) {
    precondition(
      container.registry.scope == nil,
      "ReloadableContainer.init: a request scope is not reloaded, but the container around it")
    let base = container.registry.baseOfLayer?.container ?? container
    self.base = base
    versions = base.registry.versions(first: Self.firstLayer(of: base))
    versions.current?.core.followBase()
  }

  private static func firstLayer(of base: Container) -> ContainerLayer {
    let first = Container(layerOf: base)
    first.registry.followBase()
    first.registry.setFrozen(true)
    return ContainerLayer(first.registry, keeping: first)
  }

  /// The container of the current version.
  ///
  /// ```swift
  /// let settings = try reloadable.current.resolve(Settings.self)
  /// ```
  ///
  /// It is frozen, and does not follow reloads. What it is asked for outside of a scope may be disposed of when it has been
  /// replaced. Once the container has begun to end, this is the container itself, which then refuses resolves.
  ///
  /// Its ``Container/graph()``, ``Container/statistics`` and ``Container/registrations`` show the version as one
  /// container, with what it shares.
  ///
  /// Lock-free.
  public var current: Container { versions.current?.container ?? base }

  /// Makes request scopes, each of the version that is current then.
  ///
  /// ```swift
  /// try await reloadable.scopes.withScope { scope in try scope.resolve(Handler.self).handle() }
  /// ```
  ///
  /// Those that instances have as a dependency do the same. A version waits for its scopes before anything of it is
  /// disposed of. It knows nothing of a scope that is made from the container itself.
  ///
  /// Wait-free.
  public var scopes: ScopeFactory { ScopeFactory(of: base.registry) }
}

extension Container {
  /// A container for a version of another one.
  convenience init(layerOf base: Container) {
    self.init(parent: base)
    _ = registry.extras.baseOfLayer.storeIfNil(base.registry)
    registry.extras.versionNumber.store(
      Self.lastVersion.wrappingAdd(1, ordering: .relaxed).newValue, ordering: .relaxed)
  }

  private static let lastVersion = Atomic<UInt64>(0)

  /// The number of a version, which no other one has; `nil` for what is none.
  package var versionNumber: UInt64? {
    guard registry.baseOfLayer != nil else { return nil }
    return registry.extras.versionNumber.load(ordering: .relaxed)
  }

  /// What a product of the package keeps with a container. A version begins with that of the version before; a child and a fork
  /// without one find that of the container which they are made of.
  package var note: (any Sendable)? {
    get {
      for core in registry.searched {
        if let note = core.extrasIfMade?.note.load() { return note.value }
      }
      return nil
    }
    set { registry.extras.note.store(newValue.map { ContainerNote($0) }) }
  }

  /// Has a version that is being made be without a registration, though the container of which it is one has it.
  package func hide(_ key: RegistrationKey, file: StaticString, line: UInt) throws {
    try registry.hide(key, at: SourceLocation(file: file, line: line))
  }
}

extension ContainerCore {
  /// Has a version of a container do as that does. Called once others know of the version: what comes later finds it.
  func followBase() {
    guard let base = baseOfLayer else { return }
    trackScopesAsBase()
    let observers = base.observers
    takeOver(observers)
    // Those that have been removed meanwhile may not have been found here.
    for case let token? in observers.map(\.token) {
      if !base.observers.contains(where: { $0.token === token }) { removeObservers(of: token) }
    }
  }
}
