// SPDX-License-Identifier: MIT

/// Decides how instances of a service are shared. Scopes are distinguished by identity.
///
/// ## Concurrency
/// ``makeStorage()`` is called on the thread that first resolves or resets a service, possibly at
/// the same time for several services.
public protocol ObjectScopeProtocol: AnyObject {
  /// Makes the storage for a service; called once for every service.
  func makeStorage() -> any InstanceStorage
}

/// A scope of services. For every service of the scope, a closure makes a storage, which decides
/// how long the service's instance is shared.
///
/// ```swift
/// extension ObjectScope {
///   static let session = ObjectScope(storageFactory: PermanentStorage.init)
/// }
/// container.register(Cart.self) { _ in Cart() }.inObjectScope(.session)
/// container.resetObjectScope(.session)
/// ```
///
/// ## Concurrency
/// Safe to use from any thread, if the closure is: the closure runs for several services at the
/// same time.
// SAFETY: constant; the program is responsible for the state that the closure and the parent use.
public final class ObjectScope: ObjectScopeProtocol, CustomStringConvertible, @unchecked Sendable {
  /// The text given to the initializer.
  public let description: String
  private let storageFactory: () -> any InstanceStorage
  private let parent: (any ObjectScopeProtocol)?

  /// - Parameters:
  ///   - storageFactory: makes the storage for every service.
  ///   - description: a text for messages.
  ///   - parent: a scope whose storage is used after the scope's own storage.
  public init(
    storageFactory: @escaping () -> any InstanceStorage, description: String = "",
    parent: (any ObjectScopeProtocol)? = nil
  ) {
    self.storageFactory = storageFactory
    self.description = description
    self.parent = parent
  }

  public func makeStorage() -> any InstanceStorage {
    guard let parent else { return storageFactory() }
    return CompositeStorage([storageFactory(), parent.makeStorage()])
  }

  /// A new instance for every resolve.
  public static let transient = ObjectScope(
    storageFactory: TransientStorage.init, description: "transient")
  /// An instance for every graph: the default.
  public static let graph = ObjectScope(storageFactory: GraphStorage.init, description: "graph")
  /// A single instance for the container and its children.
  public static let container = ObjectScope(
    storageFactory: PermanentStorage.init, description: "container")
  /// A single instance for the container and its children, as long as the instance is in use.
  public static let weak = ObjectScope(
    storageFactory: WeakStorage.init, description: "weak", parent: ObjectScope.graph)

  /// The former name of ``transient``.
  @available(*, unavailable, renamed: "transient") public static let none = ObjectScope.transient
  /// The former name of ``container``.
  @available(*, unavailable, renamed: "container") public static let hierarchy = container
}
