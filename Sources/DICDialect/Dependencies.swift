// SPDX-License-Identifier: MIT

public import Corinth
public import DialectSupport

/// The registrations of a container, in three kinds: a type may have a registration of every kind.
/// Singletons have no name, so that a single lookup finds a singleton; every other kind has a name.
@usableFromInline struct Dependencies: Sendable {
  @usableFromInline private(set) var core = Corinth.Container()
  @usableFromInline static let plain: Name = "plain"
  @usableFromInline static let throwing: Name = "throwing"

  /// - Parameter kind: ``plain`` or ``throwing``.
  @inlinable
  func register<T>(
    _ type: T.Type, _ kind: Name, _ file: StaticString, _ line: UInt,
    _ builder: @escaping () throws -> T
  ) {
    Self.check(type)
    let builder = UncheckedSendable(builder)
    orEndProgram {
      try core.register(type, name: kind, scope: .transient, file: file, line: line) { _ in
        do { return try builder.value() } catch { throw error.ofBuilder }
      }
    }
  }

  /// Keeps a value built by the caller, so that no lock is held while the builder runs.
  @inlinable
  func registerSingleton<T>(_ type: T.Type, _ file: StaticString, _ line: UInt, _ value: T) {
    Self.check(type)
    orEndProgram { try core.register(uncheckedValue: value, as: type, file: file, line: line) }
  }

  /// Removes all registrations but the singletons, in one step.
  func unregister() { core.removeAll { $0.key.name != nil } }

  /// The current builders of a kind.
  func builders(_ kind: Name) -> [ObjectIdentifier: () throws -> Any] {
    core.builders(kind) { now, key in
      { do { return try now.resolve(key: key) } catch { throw error.thrownByBuilder } }
    }
  }

  /// Reports a product that is registered by mistake, in debug builds: a closure in place of the
  /// closure's result.
  @usableFromInline static func check<T>(_ type: T.Type) {
    #if DEBUG
      let text = "\(type)"
      if text.contains(" async ") {
        fatalError("[ERROR] DIC: \(text) is asynchronous: use AsyncDependencyInjectionContainer")
      }
      if text.hasPrefix("(") { print("[WARNING] DIC: registering \(text): is it what you mean?") }
    #endif
  }
}

extension Corinth.Container {
  /// A container with the current registrations, which never changes.
  func snapshot() -> Corinth.Container {
    let copy = fork()
    copy.detach()
    orEndProgram { try copy.freeze() }
    return copy
  }

  /// The values that `builder` makes of a snapshot and every key of a kind, by the keys' types.
  func builders<Builder>(
    _ kind: Name, _ builder: (Corinth.Container, RegistrationKey) -> Builder
  ) -> [ObjectIdentifier: Builder] {
    let now = snapshot()
    let keys = now.registrations.map(\.key).filter { $0.name == kind }
    return keys.reduce(into: [:]) { $0[ObjectIdentifier($1.product)] = builder(now, $1) }
  }
}
