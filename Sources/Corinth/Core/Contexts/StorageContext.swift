// SPDX-License-Identifier: MIT

/// The resolve in which a ``CustomStorage`` is asked for a product, or gets a product to store.
///
/// ## Concurrency
/// A value, safe to use from any thread.
public struct StorageContext: Sendable {
  /// Resolves in the container of the product's registration, as a part of the resolution.
  public let resolver: Resolver
  /// The unique number of the resolution, which all resolves nested in one call to
  /// `container.resolve` share.
  public let resolution: UInt64
  /// The argument, or a tuple of several arguments; `nil` without arguments.
  public var argument: Any? { arguments?.argument }

  private let arguments: AnyArguments?

  init(_ resolver: Resolver, _ resolution: UInt64, _ arguments: AnyArguments?) {
    self.resolver = resolver
    self.resolution = resolution
    self.arguments = arguments
  }
}
