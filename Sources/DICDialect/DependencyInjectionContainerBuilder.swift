// SPDX-License-Identifier: MIT

/// ``DependencyInjectionContainerBuilder``, in short.
public typealias DICBuilder = DependencyInjectionContainerBuilder

/// Collects the registrations of immutable containers.
///
/// ```swift
/// let container = DICBuilder()
///   .register { Example1(value: 1) }
///   .registerSingleton { DatabaseService() }
///   .build()
/// ```
///
/// Copies of a builder share the registrations.
///
/// ## Concurrency
/// Safe from any thread. No lock is held while a builder runs.
public struct DependencyInjectionContainerBuilder: Sendable {
  @usableFromInline let all = Dependencies()

  /// An empty builder.
  public init() {}

  /// Registers a builder, which runs at every load.
  @discardableResult @inlinable
  public func register<T>(
    _ objectBuilder: @escaping () -> T, as desiredType: T.Type = T.self,
    file: StaticString = #fileID, line: UInt = #line
  ) -> Self {
    all.register(desiredType, Dependencies.plain, file, line, objectBuilder)
    return self
  }

  /// Registers an expression, which every load evaluates.
  @_disfavoredOverload @discardableResult @inlinable
  public func register<T>(
    _ objectBuilder: @autoclosure @escaping () -> T, as desiredType: T.Type = T.self,
    file: StaticString = #fileID, line: UInt = #line
  ) -> Self { register(objectBuilder, as: desiredType, file: file, line: line) }

  /// Registers a builder that may throw. The builder runs at every load.
  @discardableResult @inlinable
  public func registerThrowable<T>(
    _ objectBuilder: @escaping () throws -> T, as desiredType: T.Type = T.self,
    file: StaticString = #fileID, line: UInt = #line
  ) -> Self {
    all.register(desiredType, Dependencies.throwing, file, line, objectBuilder)
    return self
  }

  /// Registers an expression that may throw. Every load evaluates the expression.
  @_disfavoredOverload @discardableResult @inlinable
  public func registerThrowable<T>(
    _ objectBuilder: @autoclosure @escaping () throws -> T, as desiredType: T.Type = T.self,
    file: StaticString = #fileID, line: UInt = #line
  ) -> Self { registerThrowable(objectBuilder, as: desiredType, file: file, line: line) }

  /// Runs a builder now. The result is in all containers that are built later.
  @discardableResult @inlinable
  public func registerSingleton<T>(
    _ objectBuilder: () -> T, as desiredType: T.Type = T.self,
    file: StaticString = #fileID, line: UInt = #line
  ) -> Self {
    all.registerSingleton(desiredType, file, line, objectBuilder())
    return self
  }

  /// Evaluates an expression now. The value is in all containers that are built later.
  @_disfavoredOverload @discardableResult @inlinable
  public func registerSingleton<T>(
    _ objectBuilder: @autoclosure () -> T, as desiredType: T.Type = T.self,
    file: StaticString = #fileID, line: UInt = #line
  ) -> Self { registerSingleton(objectBuilder, as: desiredType, file: file, line: line) }

  /// A container with the current registrations. The function may be called again, after further
  /// registrations.
  public func build() -> ImmutableDependencyInjectionContainer {
    ImmutableDependencyInjectionContainer(all: Dependencies(core: all.core.snapshot()))
  }
}
