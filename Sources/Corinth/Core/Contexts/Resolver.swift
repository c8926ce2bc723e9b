// SPDX-License-Identifier: MIT

/// What a factory receives to resolve its dependencies with.
///
/// ```swift
/// try container.register(Database.self) { resolver in
///   MySQL(log: try resolver.resolve(Logger.self))
/// }
/// ```
///
/// Resolving through it takes part in the factory's own resolution: a cycle through a shared instance is
/// found even where the factory hands the resolver to another thread and waits there. A resolver that is
/// kept and used after its factory has returned starts a resolution of its own. It does not keep the
/// container alive.
///
/// ## Concurrency
/// Safe to use from any thread, and to keep.
public struct Resolver: Sendable {
  @usableFromInline let registry: ContainerCore

  /// The construction that the resolver was made for: the innermost shared instance being built.
  @usableFromInline let construction: ResolutionContext?

  @inlinable @inline(__always)
  init(registry: ContainerCore, construction: ResolutionContext?) {
    self.registry = registry
    self.construction = construction
  }
}
