// SPDX-License-Identifier: MIT

/// Wraps the instances of one product.
final class Decorator: Sendable {
  /// - Parameters: an instance, and a resolver of the container that it belongs to.
  typealias Wrap = @Sendable (AnyInstanceBox, Resolver) throws -> AnyInstanceBox

  let wrap: Wrap

  init(_ wrap: @escaping Wrap) {
    self.wrap = wrap
  }
}

/// Each is one of its own.
extension Decorator: Hashable {
  static func == (left: Decorator, right: Decorator) -> Bool { left === right }

  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
