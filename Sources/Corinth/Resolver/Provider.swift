// SPDX-License-Identifier: MIT

/// Resolves a single key, looked up in advance.
///
/// ```swift
/// let logger = try container.provider(for: Logger.self)
/// try logger().log("hit")
/// ```
///
/// Every call returns an instance according to the scope of the registration at the time of the
/// call. A provider also breaks cycles: hold a provider instead of the instance, and call the
/// provider when the instance is needed.
///
/// A provider made by a ``Container`` keeps the container alive. A provider made by a ``Resolver``,
/// or resolved as `Provider<Logger>`, does not, so instances may hold the provider; once the
/// container is deallocated, a call throws ``ResolutionError/containerGone(_:)``.
///
/// ## Concurrency
/// Safe to call from any thread, and to store.
public struct Provider<Product>: Sendable {
  @usableFromInline let registry: ContainerCore
  @usableFromInline let slot: SlotReference

  private let container: Container?
  /// The owner of the slot when the container has no slot of its own for the key.
  private let placeholder: SlotPlaceholder?

  /// - Parameter container: the container to keep alive, `nil` for none.
  init(
    _ product: Product.Type, name: Name?, in registry: ContainerCore, keeping container: Container?
  ) throws(ResolutionError) {
    let key = RegistrationKey(product: product, name: name)
    try key.require(in: registry)
    DeferredDependencies.noteLaterResolve(of: key, in: registry)
    self.registry = registry
    if let own = registry.table.find(key) {
      slot = own
      placeholder = nil
    } else {
      let placeholder = SlotPlaceholder(for: key)
      slot = placeholder.slot
      self.placeholder = placeholder
    }
    self.container = container
  }

  /// Resolves an instance.
  ///
  /// - Throws: ``ResolutionError``, also when the registration has been removed meanwhile;
  ///   ``ResolutionError/asyncResolutionRequired(_:)`` for an asynchronous product that is not
  ///   built yet: use ``callAsync()``.
  /// - Complexity: O(1), plus the time of the factory.
  ///
  /// Wait-free for a ready singleton and for a transient's lookup; the first resolve of a shared
  /// instance waits at most for that instance's construction.
  @inlinable @inline(__always)
  public func callAsFunction() throws -> Product {
    try registry.resolve(Product.self, in: slot, within: nil)
  }

  /// Resolves an instance, also of an asynchronous registration, at every call.
  ///
  /// ```swift
  /// let connection = try await makeConnection.callAsync()
  /// ```
  ///
  /// - Throws: ``ResolutionError``, also when the registration has been removed meanwhile.
  /// - Complexity: O(1), plus the time of the factory.
  ///
  /// The caller stays on its actor. No thread is blocked.
  nonisolated(nonsending)
    public func callAsync() async throws -> Product
  {
    try await registry.resolveAsync(Product.self, name: slot.name, within: nil)
  }
}

extension Provider: CustomStringConvertible {
  /// Names the product, and resolves nothing.
  public var description: String { "Provider<\(Product.self)>" }
}
