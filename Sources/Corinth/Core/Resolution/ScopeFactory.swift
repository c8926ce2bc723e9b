// SPDX-License-Identifier: MIT

/// Makes request scopes for an instance that must not own the container.
///
/// ```swift
/// final class Worker: Sendable {
///   private let scopes: ScopeFactory
///   init(scopes: ScopeFactory) { self.scopes = scopes }
///
///   func run(_ job: Job) async throws {
///     try await scopes.withScope(providing: job) { scope in
///       try await scope.resolveAsync(JobHandler.self).handle()
///     }
///   }
/// }
/// try container.wire(Worker.self, scope: .singleton, using: Worker.init(scopes:))
/// ```
///
/// A scope factory needs no registration: every container has a scope factory, for parameters,
/// resolves and properties alike. The factory does not keep the container alive, so a singleton may
/// hold the factory; a singleton that held the container would never be deallocated. An instance of
/// a request scope gets the factory of the container around all scopes, and may hand the factory to
/// objects that outlive the request. For a ``ReloadableContainer`` the factory makes scopes of the
/// current version.
///
/// ## Concurrency
/// Safe to use from any thread, and to store.
public struct ScopeFactory: Sendable {
  let registry: ContainerCore

  /// - Parameter core: the container asked, perhaps a scope.
  init(of core: ContainerCore) {
    let found = core.selfAndAncestors.first { !$0.isScope } ?? core
    // A version's factory makes scopes of the current version.
    registry = found.baseOfLayer ?? found
  }
}

extension ScopeFactory: DerivedProduct {
  // A key used by nobody else: leads nowhere.
  static var content: any Any.Type { ContainerCore.self }
  static var dependencyKind: Dependency.Kind { .container }

  static func require(named name: Name?, in core: ContainerCore) throws(ResolutionError) {
    if let name { throw core.missing(Self.self, name: name) }
  }

  static func box(
    named name: Name?, in core: ContainerCore, within context: ResolutionContext?
  ) throws(ResolutionError) -> AnyInstanceBox {
    try require(named: name, in: core)
    DeferredDependencies.noteLaterResolves(in: core)
    ResolveNotes.noteUnknown()
    return InstanceBox(ScopeFactory(of: core))
  }
}

extension ScopeFactory: CustomStringConvertible {
  /// Names the type only.
  public var description: String { "ScopeFactory" }
}
