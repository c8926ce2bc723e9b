// SPDX-License-Identifier: MIT

/// The resolve that an ``Instance`` is asked in.
public struct InstanceContext: Sendable {
  /// Resolves in the container that the product is registered in, as a part of this resolution.
  public let resolver: Resolver
  /// The resolution: the same for all resolves nested in one call to `container.resolve`.
  public let resolution: ResolutionID
  /// The argument, or the tuple of several; `nil` without arguments.
  public var argument: Any? { arguments?.argument }

  private let arguments: AnyArguments?

  init(_ resolver: Resolver, _ resolution: ResolutionID, _ arguments: AnyArguments?) {
    self.resolver = resolver
    self.resolution = resolution
    self.arguments = arguments
  }
}

/// Identifies a resolution. Never reused for another one.
public struct ResolutionID: Sendable, Hashable {
  private let number: UInt64

  init(number: UInt64) {
    self.number = number
  }

  /// That of no other resolution, for tests of an ``Instance``.
  public init() {
    self.init(number: ResolutionContext.nextNumber())
  }
}
