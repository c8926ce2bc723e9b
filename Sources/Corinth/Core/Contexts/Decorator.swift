// SPDX-License-Identifier: MIT

internal import Synchronization

/// Wraps the instances of one product.
final class Decorator: Sendable {
  /// - Parameters: an instance, and a resolver of the container that it belongs to.
  typealias Wrap = @Sendable (AnyInstanceBox, Resolver) throws -> AnyInstanceBox

  let wrap: Wrap
  let product: any Any.Type
  let location: SourceLocation
  /// Its own in the process: what is recorded of a decorator names it so, and does not keep its closure.
  let number = Decorator.lastNumber.wrappingAdd(1, ordering: .relaxed).newValue

  init(of product: any Any.Type, at location: SourceLocation, _ wrap: @escaping Wrap) {
    self.wrap = wrap
    self.product = product
    self.location = location
  }

  deinit { HeldLocks.assertNone(Decorator.self) }

  private static let lastNumber = Atomic<UInt64>(0)
}
