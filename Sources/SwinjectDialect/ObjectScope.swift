// SPDX-License-Identifier: MIT

/// How instances of a service are shared: scopes are told apart by identity.
public protocol ObjectScopeProtocol: AnyObject {
  /// Makes the storage for a service, once for each.
  func makeStorage() -> any InstanceStorage
}

/// A scope whose storages a closure makes.
///
/// ```swift
/// extension ObjectScope { static let session = ObjectScope(storageFactory: PermanentStorage.init) }
/// container.register(Cart.self) { _ in Cart() }.inObjectScope(.session)
/// container.resetObjectScope(.session)
/// ```
// SAFETY: constant; the program is responsible for what its closure and its parent use.
public final class ObjectScope: ObjectScopeProtocol, CustomStringConvertible, @unchecked Sendable {
  /// The text that it was made with.
  public let description: String
  private let storageFactory: () -> any InstanceStorage
  private let parent: (any ObjectScopeProtocol)?

  /// - Parameters:
  ///   - storageFactory: makes the storage for each service.
  ///   - description: a text for messages.
  ///   - parent: a scope whose storage is used beside the own one, behind it.
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

  /// A new instance each time.
  public static let transient = ObjectScope(
    storageFactory: TransientStorage.init, description: "transient")
  /// One instance for each graph: the default.
  public static let graph = ObjectScope(storageFactory: GraphStorage.init, description: "graph")
  /// One instance for the container and its children.
  public static let container = ObjectScope(
    storageFactory: PermanentStorage.init, description: "container")
  /// One instance for the container and its children, as long as it is used.
  public static let weak = ObjectScope(
    storageFactory: WeakStorage.init, description: "weak", parent: ObjectScope.graph)

  /// The former name of ``transient``.
  @available(*, unavailable, renamed: "transient") public static let none = ObjectScope.transient
  /// The former name of ``container``.
  @available(*, unavailable, renamed: "container") public static let hierarchy = container
}
