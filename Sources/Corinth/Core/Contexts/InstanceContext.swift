// SPDX-License-Identifier: MIT

/// What an ``Instance`` may want to know of a resolve.
public struct InstanceContext: Sendable {
  /// Resolves in the container that the product is registered in, as a part of this resolution.
  public let resolver: Resolver
  /// The resolution: the same for all that one resolve of the container's leads to.
  public let resolution: ResolutionID
  /// The argument, or the tuple of several; `nil` without arguments.
  public var argument: Any? { arguments?.argument }

  private let arguments: AnyArguments?

  /// - Parameter resolution: numbers the resolution.
  init(_ resolver: Resolver, _ resolution: UInt64, _ arguments: AnyArguments?) {
    self.resolver = resolver
    self.resolution = ResolutionID(number: resolution)
    self.arguments = arguments
  }
}

/// Tells resolutions apart. Never used again for another one.
public struct ResolutionID: Sendable, Hashable {
  let number: UInt64
}
