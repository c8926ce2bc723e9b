// SPDX-License-Identifier: MIT

/// A reference to a container that any thread may replace while others read it.
///
/// ```swift
/// enum Application {
///   static let container = ContainerReference(Container())
/// }
/// let mailer = try Application.container.load().resolve(Mailer.self)
/// let former = Application.container.exchange(testContainer)
/// ```
///
/// For a process-wide container that tests and settings change. Prefer to pass a container along.
///
/// ## Concurrency
/// All operations are lock-free.
public final class ContainerReference: Sendable {
  private let reference = ReplaceableReference<Container>()

  /// - Parameter container: the container that it refers to at first. It is kept alive.
  public init(_ container: Container) {
    reference.store(container)
  }

  /// The container of this moment.
  ///
  /// Lock-free.
  public func load() -> Container {
    guard let container = reference.load() else {
      preconditionFailure("ContainerReference.load: a reference must have a container")
    }
    return container
  }

  /// Refers to another container from now on.
  ///
  /// The former one is released, when no thread is reading it any more.
  ///
  /// Lock-free.
  public func store(_ container: Container) {
    reference.store(container)
  }

  /// As ``store(_:)``, and returns the former container.
  ///
  /// Lock-free.
  public func exchange(_ container: Container) -> Container {
    reference.exchangeAndRetire(container) ?? container
  }
}
