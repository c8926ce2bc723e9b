// SPDX-License-Identifier: MIT

public import Corinth
public import DialectSupport

/// The registrations of a container, of three kinds: a type may have one of each. Singletons have no name, so that they
/// are found by one lookup; the other kinds have names of their own.
@usableFromInline
struct Dependencies: Sendable {
  @usableFromInline let core: Corinth.Container
  @usableFromInline static let plain: Name = "plain"
  @usableFromInline static let throwing: Name = "throwing"

  init(_ core: Corinth.Container = Corinth.Container()) {
    self.core = core
  }

  @inlinable
  func register<T>(
    _ type: T.Type, _ file: StaticString, _ line: UInt, _ builder: @escaping () -> T
  ) {
    Self.check(type)
    let builder = UncheckedSendable(builder)
    do {
      try core.register(
        type, name: Self.plain, scope: .transient, file: file, line: line
      ) { _ in builder.value() }
    } catch { endProgram(error) }
  }

  @inlinable
  func registerThrowable<T>(
    _ type: T.Type, _ file: StaticString, _ line: UInt, _ builder: @escaping () throws -> T
  ) {
    Self.check(type)
    let builder = UncheckedSendable(builder)
    do {
      try core.register(
        type, name: Self.throwing, scope: .transient, file: file, line: line
      ) { _ in
        do { return try builder.value() } catch let error as ResolutionError {
          throw ErrorOfBuilder.wrapping(error)
        }
      }
    } catch { endProgram(error) }
  }

  /// Keeps a value, which the caller has built: no lock is held while that runs.
  @inlinable
  func registerSingleton<T>(_ type: T.Type, _ file: StaticString, _ line: UInt, _ value: T) {
    Self.check(type)
    do {
      try core.register(type, uncheckedValue: value, file: file, line: line)
    } catch { endProgram(error) }
  }

  /// Removes all but the singletons, in one step.
  func unregister() {
    core.removeAll { $0.key.name != nil }
  }

  /// The builders of one kind, as they are now.
  func builders(_ name: Name) -> [ObjectIdentifier: () throws -> Any] {
    let now = core.snapshot()
    let keys = now.registrations.map(\.key).filter { $0.name == name }
    let builders = keys.map { key in
      (ObjectIdentifier(key.product), { () throws -> Any in try now.resolve(key: key) })
    }
    return Dictionary(uniqueKeysWithValues: builders)
  }

  /// The builders that do not throw.
  func plainBuilders() -> [ObjectIdentifier: () -> Any] {
    builders(Self.plain).mapValues { builder in
      { do { return try builder() } catch { endProgram(error) } }
    }
  }

  /// Finds what is registered by mistake, in debug builds: a closure where its result is meant.
  @usableFromInline
  static func check<T>(_ type: T.Type) {
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
  /// A container with the registrations of this moment.
  func snapshot() -> Corinth.Container {
    let copy = fork()
    copy.detach()
    return copy
  }
}
