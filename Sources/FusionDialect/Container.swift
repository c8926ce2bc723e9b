// SPDX-License-Identifier: MIT

public import Corinth
internal import DialectSupport

/// Holds the services that are bound to it, and resolves them.
///
/// ```swift
/// Container.bind(.singleton, to: Logger.self) { _ in RemoteLogger() }
/// let logger: Logger? = Container.resolve(Logger.self)
/// ```
///
/// ## Concurrency
/// Safe from any thread. A singleton is built exactly once; no lock is held while a factory runs.
public final class Container: CustomDebugStringConvertible, Sendable {
  /// Makes a value.
  public typealias Factory<T> = () -> T
  /// Makes a value from others of the container that it is bound in.
  public typealias ContainerFactory<T> = (Container) -> T

  /// How often the factory of a service runs.
  public enum ResolveBehavior: String, Sendable {
    /// At each resolve.
    case transient
    /// Once, at the first resolve.
    case singleton
  }

  @usableFromInline let core: Corinth.Container
  /// Factories get the container that they are bound in, which has to be there for its children too.
  private let parent: Container?

  /// - Parameter parent: resolves types that are not bound here.
  public init(parent: Container? = nil) {
    self.parent = parent
    core = parent.map { Corinth.Container(parent: $0.core) } ?? Corinth.Container()
  }

  private static let mainReference = SharedReference(Container())

  /// The container that the static functions and ``Inject`` use. It may be replaced at any time.
  public static var main: Container {
    get { mainReference.load() }
    set { mainReference.store(newValue) }
  }

  /// ``main``, as Fusion 0.2 calls it.
  public static var `default`: Container {
    get { main }
    set { main = newValue }
  }

  /// ``main``, as Fusion 0.1 calls it.
  public static var global: Container {
    get { main }
    set { main = newValue }
  }

  /// The bindings of this container, a line each, sorted. Factories run; a singleton is built.
  public var debugDescription: String {
    let lines = core.registrations.compactMap { registration -> String? in
      // Unbound since it was listed, or circular.
      guard let service = try? core.resolve(key: registration.key) else { return nil }
      let id = registration.key.name.map { " (\($0.base))" } ?? ""
      return "- \(registration.key.product)\(id): \(service) (\(registration.scope))"
    }
    let entries = lines.isEmpty ? "<nothing registered>" : lines.sorted().joined(separator: "\n")
    return "*Container Entries*\n\(entries)"
  }
}
