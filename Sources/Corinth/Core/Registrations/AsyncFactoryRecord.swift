// SPDX-License-Identifier: MIT

/// A registration whose factory is asynchronous.
// SAFETY: see the superclass.
final class AsyncFactoryRecord<Product>: RegistrationRecord, @unchecked Sendable {
  typealias Factory = @Sendable (Resolver, AnyArguments?) async throws -> sending Product
  typealias Hashing = @Sendable (AnyArguments) -> ArgumentValues
  private let factory: Factory
  private let hashing: Hashing?

  /// - Parameter hashing: makes a key of the arguments; `nil` when there are none, or they are not `Hashable`.
  init(_ attributes: RegistrationAttributes, hashing: Hashing?, factory: @escaping Factory) {
    self.factory = factory
    self.hashing = hashing
    super.init(attributes, factoryKind: .asynchronous)
  }

  override func values(of arguments: AnyArguments) -> ArgumentValues? { hashing?(arguments) }

  override func copy(_ attributes: RegistrationAttributes) -> RegistrationRecord {
    AsyncFactoryRecord(attributes, hashing: hashing, factory: factory)
  }

  override func buildAsync(
    _ resolver: Resolver, _ arguments: AnyArguments?
  ) async throws -> AnyInstanceBox {
    InstanceBox(try await factory(resolver, arguments))
  }
}
