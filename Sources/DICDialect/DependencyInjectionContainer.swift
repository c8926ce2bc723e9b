// SPDX-License-Identifier: MIT

/// Builds the registered dependencies.
///
/// ```swift
/// let container = DependencyInjectionContainer()
/// container.register { Example1(value: 1) }
/// let example: Example1 = container.load()
/// ```
///
/// A type may have a singleton, a plain and a throwing builder, which are asked in this order. The
/// last registration of a kind counts. The registration of `X?` is found when `X` is loaded, not
/// the reverse.
///
/// ## Concurrency
/// Safe from any thread. No lock is held while a builder runs.
// SAFETY: see the superclass.
public final class DependencyInjectionContainer: DependencyContainer, @unchecked Sendable {
  /// The errors of `loadOrThrow(_:)` itself.
  public enum InjectionLoadError: Error {
    /// No registration serves the type.
    case cannotFindDependency
  }

  /// An empty container.
  public override init() {}

  /// Registers a builder that may throw. The builder runs at every load.
  @inlinable
  public func registerThrowable<T>(
    _ objectBuilder: @escaping () throws -> T, as desiredType: T.Type = T.self,
    file: StaticString = #fileID, line: UInt = #line
  ) { all.register(desiredType, Dependencies.throwing, file, line, objectBuilder) }

  /// Registers an expression that may throw. Every load evaluates the expression.
  @_disfavoredOverload @inlinable
  public func registerThrowable<T>(
    _ objectBuilder: @autoclosure @escaping () throws -> T, as desiredType: T.Type = T.self,
    file: StaticString = #fileID, line: UInt = #line
  ) { all.register(desiredType, Dependencies.throwing, file, line, objectBuilder) }

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

  /// Returns the current throwing builders, by type. To call a builder builds a new instance.
  public func throwableDependencies() -> [ObjectIdentifier: () throws -> Any] {
    all.builders(Dependencies.throwing)
  }
}
