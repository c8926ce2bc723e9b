// SPDX-License-Identifier: MIT

/// The resolve that a ``CustomStorage`` is asked in.
public struct StorageContext: Sendable {
  /// Resolves in the container that the product is registered in, as a part of this resolution.
  public let resolver: Resolver
  /// The number of the resolution: the same for all resolves nested in one call to `container.resolve`, and never that of
  /// another one.
  public let resolution: UInt64
  /// The argument, or the tuple of several; `nil` without arguments.
  public var argument: Any? { arguments?.argument }

  private let arguments: AnyArguments?

  init(_ resolver: Resolver, _ resolution: UInt64, _ arguments: AnyArguments?) {
    self.resolver = resolver
    self.resolution = resolution
    self.arguments = arguments
  }
}
