// SPDX-License-Identifier: MIT

internal import Synchronization

/// A container whose registrations are replaced while units of work run, together with all
/// instances built from the registrations.
///
/// ```swift
/// let reloadable = ReloadableContainer(container)
/// try await reloadable.reload { version in
///   try version.register(value: settings)
/// }
/// try await reloadable.scopes.withScope { scope in try scope.resolve(Handler.self).handle() }
/// ```
///
/// A reload makes a *version*: a child of the container with the new registrations, and new
/// instances of all dependents, over any number of steps. All remaining instances are shared. The
/// next unit of work gets the new version, and running units keep the version before. A unit
/// therefore never sees instances of two versions.
///
/// The edges of ``Container/graph()`` are the known dependencies. A registration with unknown
/// dependencies may depend on anything: the reload is refused, with the name of the registration.
///
/// Make a reloadable container when everything is registered, before units of work begin, and
/// register with reloads only from then on. The container itself goes on serving its own
/// registrations: an instance disposed of by a reload is built again when the container is asked,
/// and is disposed of by the next reload that reaches its dependencies, or at the end.
///
/// The container keeps its versions alive until
/// ``Container/shutdown(draining:timeLimit:totalTimeLimit:maximumConcurrency:file:line:)`` ends the
/// versions, the newest first, and then the container, with a total time limit for all. From the
/// beginning of the end on, neither the container nor a version serves anything. A container with
/// versions is never deallocated before the shutdown. All `ReloadableContainer` values made of one
/// container share the container's versions.
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
  /// - Parameter container: the container with all registrations, or a version of this container.
  ///   No request scope.
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
  /// The current container is frozen, and does not follow reloads. An instance resolved outside of
  /// a scope may be disposed of after its replacement. Once the container has begun to end,
  /// `current` is the container itself, which then refuses resolves.
  ///
  /// The version's ``Container/graph()``, ``Container/statistics`` and ``Container/registrations``
  /// show the version as one container, with all shared registrations.
  ///
  /// Lock-free.
  public var current: Container { versions.current?.container ?? base }

  /// Makes request scopes, each of the version current at the scope's making.
  ///
  /// ```swift
  /// try await reloadable.scopes.withScope { scope in try scope.resolve(Handler.self).handle() }
  /// ```
  ///
  /// Scope factories injected into instances make such scopes too. A version waits for its scopes
  /// before disposing of anything. A scope made from the container itself is unknown to the
  /// version.
  ///
  /// Wait-free.
  public var scopes: ScopeFactory { ScopeFactory(of: base.registry) }
}

extension Container {
  /// A container for a version of `base`.
  convenience init(layerOf base: Container) {
    self.init(fingerprintBits: 64, parent: base, defaultScope: base.defaultScope)
    _ = registry.extras.baseOfLayer.storeIfNil(base.registry)
    registry.extras.versionNumber.store(
      Self.lastVersion.wrappingAdd(1, ordering: .relaxed).newValue, ordering: .relaxed)
  }

  private static let lastVersion = Atomic<UInt64>(0)

  /// The unique number of a version; `nil` for a container that is no version.
  package var versionNumber: UInt64? {
    guard registry.baseOfLayer != nil else { return nil }
    return registry.extras.versionNumber.load(ordering: .relaxed)
  }

  /// A note kept with a container by a product of the package. A version begins with the note of
  /// the version before; a child or a fork without a note finds the note of its parent or base.
  package var note: (any Sendable)? {
    get {
      for core in registry.searched {
        if let note = core.extrasIfMade?.note.load() { return note.value }
      }
      return nil
    }
    set { registry.extras.note.store(newValue.map { ContainerNote($0) }) }
  }

  /// Hides a registration of the container from a version under construction.
  package func hide(_ key: RegistrationKey, file: StaticString, line: UInt) throws {
    try registry.hide(key, at: SourceLocation(file: file, line: line))
  }
}

extension ContainerCore {
  /// Makes a version follow its container's tracking and observers. Called once the version is
  /// known to others: a later change finds the version.
  func followBase() {
    guard let base = baseOfLayer else { return }
    trackScopesAsBase()
    let observers = base.observers
    takeOver(observers)
    // An observer removed meanwhile may not have been found here.
    for case let token? in observers.map(\.token) {
      if !base.observers.contains(where: { $0.token === token }) { removeObservers(of: token) }
    }
  }
}
