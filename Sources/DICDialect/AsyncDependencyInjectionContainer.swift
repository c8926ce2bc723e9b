// SPDX-License-Identifier: MIT

internal import Corinth
internal import DialectSupport

/// Builds dependencies whose builders are asynchronous.
///
/// ```swift
/// let container = AsyncDependencyInjectionContainer()
/// container.registerAsync { await Session() }
/// let session: Session = await container.loadAsync()
/// ```
///
/// A type may have a builder that does not throw, which comes first, and a throwing builder. The
/// registration of `X?` is found when `X` is loaded, not the reverse.
///
/// ## Concurrency
/// Safe from any thread or task. No lock is held while a builder runs.
public final class AsyncDependencyInjectionContainer: Sendable {
  /// The errors of `loadAsyncOrThrow(_:)` itself.
  public enum InjectionLoadError: Error {
    /// No registration serves the type.
    case cannotFindDependency
  }

  private let core = Corinth.Container()

  /// An empty container.
  public init() {}

  /// Registers a builder, which runs at every load.
  public func registerAsync<T>(
    _ objectBuilder: @escaping () async -> T, as desiredType: T.Type = T.self,
    file: StaticString = #fileID, line: UInt = #line
  ) { register(desiredType, Dependencies.plain, file, line, objectBuilder) }

  /// Registers a builder that may throw. The builder runs at every load.
  public func registerAsync<T>(
    _ objectBuilder: @escaping () async throws -> T, as desiredType: T.Type = T.self,
    file: StaticString = #fileID, line: UInt = #line
  ) { register(desiredType, Dependencies.throwing, file, line, objectBuilder) }

  /// Loads a dependency; ends the program if the dependency is missing or the builder throws.
  public nonisolated(nonsending) func loadAsync<T>(_ type: T.Type = T.self) async -> T {
    do {
      if let found = try await find(type) { return found }
    } catch { endProgram(error) }
    fatalError("[ERROR] DIC: cannot find dependency for \(type)")
  }

  /// Loads a dependency; `nil` if the dependency is missing or the builder throws.
  public nonisolated(nonsending) func loadAsyncOrNil<T>(_ type: T.Type = T.self) async -> T? {
    try? await loadAsyncOrThrow(type)
  }

  /// Loads a dependency.
  ///
  /// - Throws: the error of the builder; ``InjectionLoadError/cannotFindDependency``.
  public nonisolated(nonsending) func loadAsyncOrThrow<T>(_ type: T.Type = T.self) async throws -> T
  {
    guard let found = try await find(type) else { throw InjectionLoadError.cannotFindDependency }
    return found
  }

  private nonisolated(nonsending) func find<T>(_ type: T.Type) async throws -> T? {
    do {
      for name in [Dependencies.plain, Dependencies.throwing] {
        if let found = try await core.resolveAsyncIfRegistered(type, name: name) { return found }
        let found = try await core.resolveAsyncIfRegistered(T?.self, name: name) ?? nil
        if let found { return found }
      }
    } catch { throw error.thrownByBuilder }
    return nil
  }

  /// Removes the builders.
  ///
  /// - Parameter keepingCapacity: means nothing here.
  public func unregisterDependencies(keepingCapacity: Bool = false) { core.removeAll() }

  /// The current builders that do not throw, by type.
  public func dependencies() -> [ObjectIdentifier: () async -> Any] {
    builders(Dependencies.plain).mapValues { builder in
      { do { return try await builder() } catch { endProgram(error) } }
    }
  }

  /// Returns the current throwing builders, by type. To call a builder builds a new instance.
  public func throwableDependencies() -> [ObjectIdentifier: () async throws -> Any] {
    builders(Dependencies.throwing)
  }

  private func builders(_ kind: Name) -> [ObjectIdentifier: () async throws -> Any] {
    core.builders(kind) { now, key in
      { do { return try await now.resolveAsync(key: key) } catch { throw error.thrownByBuilder } }
    }
  }

  private func register<T>(
    _ type: T.Type, _ kind: Name, _ file: StaticString, _ line: UInt,
    _ builder: @escaping () async throws -> T
  ) {
    let builder = UncheckedSendable(builder)
    orEndProgram {
      try core.registerAsync(type, name: kind, scope: .transient, file: file, line: line) { _ in
        do { return try await builder.value() } catch { throw error.ofBuilder }
      }
    }
  }
}
