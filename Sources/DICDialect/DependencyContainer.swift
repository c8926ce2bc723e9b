// SPDX-License-Identifier: MIT

internal import DialectSupport

/// The common superclass of ``DependencyInjectionContainer`` and
/// ``MiniDependencyInjectionContainer``.
///
/// ## Concurrency
/// Safe from any thread. No lock is held while a builder runs.
// SAFETY: the only property is constant and Sendable; the subclasses have no properties.
public class DependencyContainer: @unchecked Sendable {
  @usableFromInline final let all = Dependencies()

  init() {}

  /// Registers a builder, which runs at every load.
  @inlinable
  public final func register<T>(
    _ objectBuilder: @escaping () -> T, as desiredType: T.Type = T.self,
    file: StaticString = #fileID, line: UInt = #line
  ) { all.register(desiredType, Dependencies.plain, file, line, objectBuilder) }

  /// Registers an expression, which every load evaluates.
  @_disfavoredOverload @inlinable
  public final func register<T>(
    _ objectBuilder: @autoclosure @escaping () -> T, as desiredType: T.Type = T.self,
    file: StaticString = #fileID, line: UInt = #line
  ) { all.register(desiredType, Dependencies.plain, file, line, objectBuilder) }

  /// Runs a builder now, and keeps the result for as long as the container exists.
  @inlinable
  public final func registerSingleton<T>(
    _ objectBuilder: () -> T, as desiredType: T.Type = T.self,
    file: StaticString = #fileID, line: UInt = #line
  ) { all.registerSingleton(desiredType, file, line, objectBuilder()) }

  /// Evaluates an expression now, and keeps the value for as long as the container exists.
  @_disfavoredOverload @inlinable
  public final func registerSingleton<T>(
    _ objectBuilder: @autoclosure () -> T, as desiredType: T.Type = T.self,
    file: StaticString = #fileID, line: UInt = #line
  ) { all.registerSingleton(desiredType, file, line, objectBuilder()) }

  /// Loads a dependency; ends the program if the dependency is missing or the builder throws.
  @inlinable @inline(__always)
  public final func load<T>(_ type: T.Type = T.self) -> T { all.load(type) }

  /// Removes the builders. Singletons stay.
  ///
  /// - Parameter keepingCapacity: means nothing here.
  public final func unregisterDependencies(keepingCapacity: Bool = false) { all.unregister() }

  /// The current builders, by type.
  public final func dependencies() -> [ObjectIdentifier: () -> Any] {
    all.builders(Dependencies.plain).mapValues { builder in { orEndProgram(builder) } }
  }
}
