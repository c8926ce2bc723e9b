// SPDX-License-Identifier: MIT

/// A container whose registrations never change, made by
/// `DependencyInjectionContainerBuilder/build()`.
///
/// Dependencies are loaded as in ``DependencyInjectionContainer``.
///
/// ## Concurrency
/// Safe from any thread, and lock-free.
public struct ImmutableDependencyInjectionContainer: Sendable {
  /// The errors of `loadOrThrow(_:)` itself.
  public enum InjectionLoadError: Error {
    /// No registration serves the type.
    case cannotFindDependency
  }

  @usableFromInline let all: Dependencies

  /// Loads a dependency; ends the program if the dependency is missing or the builder throws.
  @inlinable @inline(__always)
  public func load<T>(_ type: T.Type = T.self) -> T { all.load(type) }

  /// Loads a dependency.
  ///
  /// - Throws: the error of the builder; ``InjectionLoadError/cannotFindDependency``.
  @inlinable @inline(__always)
  public func loadOrThrow<T>(_ type: T.Type = T.self) throws -> T {
    try all.loadOrThrow(type, orThrow: InjectionLoadError.cannotFindDependency)
  }

  /// Loads a dependency; `nil` if the dependency is missing or the builder throws.
  @inlinable @inline(__always)
  public func loadOrNil<T>(_ type: T.Type = T.self) -> T? { all.loadOrNil(type) }
}
