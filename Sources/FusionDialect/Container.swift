// SPDX-License-Identifier: MIT

public import Corinth
internal import DialectSupport

/// Holds the bound services, and resolves the services.
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
  /// Makes a value from other values of the container that has the binding.
  public typealias ContainerFactory<T> = (Container) -> T

  /// How often the factory of a service runs.
  public enum ResolveBehavior: String, Sendable {
    /// At every resolve.
    case transient
    /// Once, at the first resolve.
    case singleton
  }

  @usableFromInline let core: Corinth.Container
  /// The parent, kept alive: factories get the container of their binding, which has to exist for
  /// the container's children too.
  private let parent: Container?

  /// - Parameter parent: resolves types without a binding here.
  public init(parent: Container? = nil) {
    self.parent = parent
    core = parent.map { Corinth.Container(parent: $0.core) } ?? Corinth.Container()
  }

  private static let mainReference = SharedReference(Container())

  /// The container of the static functions and of ``Inject``. The container may be replaced at any
  /// time.
  public static var main: Container {
    get { mainReference.load() }
    set { mainReference.store(newValue) }
  }

  /// The name of ``main`` in Fusion 0.2.
  public static var `default`: Container {
    get { main }
    set { main = newValue }
  }

  /// The name of ``main`` in Fusion 0.1.
  public static var global: Container {
    get { main }
    set { main = newValue }
  }

  /// The bindings of this container, one on every line, sorted. Factories run; a singleton is
  /// built.
  public var debugDescription: String {
    let lines = core.registrations.compactMap { registration -> String? in
      // The service was unbound after the listing, or is circular.
      guard let service = try? core.resolve(key: registration.key) else { return nil }
      let id = registration.key.name.map { " (\($0.base))" } ?? ""
      return "- \(registration.key.product)\(id): \(service) (\(registration.scope))"
    }
    let entries = lines.isEmpty ? "<nothing registered>" : lines.sorted().joined(separator: "\n")
    return "*Container Entries*\n\(entries)"
  }
}
