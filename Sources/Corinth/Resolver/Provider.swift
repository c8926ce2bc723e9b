// SPDX-License-Identifier: MIT

/// Resolves one key, looked up in advance.
///
/// ```swift
/// let logger = try container.provider(for: Logger.self)
/// try logger().log("hit")
/// ```
///
/// Each call returns an instance according to the scope of what is registered at that moment. A provider
/// also breaks cycles: hold it instead of the instance, and call it when the instance is needed. It keeps
/// its container alive.
///
/// ## Concurrency
/// Safe to call from any thread, and to keep.
public struct Provider<Product>: Sendable {
  /// The container that it resolves from.
  public let container: Container

  @usableFromInline let slot: SlotReference

  init(_ product: Product.Type, name: Name?, in container: Container) throws(ResolutionError) {
    let key = RegistrationKey(product: product, name: name)
    guard let slot = container.registry.slot(of: key), !slot.load().isAbsent else {
      throw .noRegistrationFound(ResolutionError.Context(missing: key, in: container))
    }
    self.container = container
    self.slot = slot
  }

  /// Resolves an instance.
  ///
  /// - Throws: ``ResolutionError``, also when the registration has been removed meanwhile.
  /// - Complexity: O(1), and what the factory takes.
  ///
  /// Wait-free for a ready singleton and for a transient's lookup; the first resolve of a shared instance
  /// waits at most for that instance's construction.
  @inlinable
  public func callAsFunction() throws(ResolutionError) -> Product {
    try container.resolve(Product.self, in: slot, within: nil)
  }
}
