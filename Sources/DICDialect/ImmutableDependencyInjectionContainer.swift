// SPDX-License-Identifier: MIT

/// A container whose registrations never change. `DependencyInjectionContainerBuilder/build()` makes it.
///
/// It loads as ``DependencyInjectionContainer`` does.
///
/// ## Concurrency
/// Safe from any thread, and lock-free.
public struct ImmutableDependencyInjectionContainer: Sendable {
  /// The errors that `loadOrThrow(_:)` itself throws.
  public enum InjectionLoadError: Error {
    /// Nothing is registered that serves the type.
    case cannotFindDependency
  }

  @usableFromInline let all: Dependencies

  /// Loads a dependency; ends the program if there is none, or its builder throws.
  @inlinable @inline(__always)
  public func load<T>(_ type: T.Type = T.self) -> T { all.load(type) }

  /// Loads a dependency; throws the error of its builder, or ``InjectionLoadError/cannotFindDependency``.
  @inlinable @inline(__always)
  public func loadOrThrow<T>(_ type: T.Type = T.self) throws -> T {
    try all.loadOrThrow(type, orThrow: InjectionLoadError.cannotFindDependency)
  }

  /// Loads a dependency; `nil` if there is none, or its builder throws.
  @inlinable @inline(__always)
  public func loadOrNil<T>(_ type: T.Type = T.self) -> T? { all.loadOrNil(type) }
}
