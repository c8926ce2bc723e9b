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

  /// - Parameter factory: takes its arguments as one value.
  convenience init<Arguments>(
    _ attributes: RegistrationAttributes, hashing: (@Sendable (Arguments) -> ArgumentValues)?,
    taking factory: @escaping @Sendable (Resolver, Arguments) async throws -> sending Product
  ) {
    var erasedHashing: Hashing?
    if let hashing { erasedHashing = { hashing($0.arguments(of: Arguments.self)) } }
    self.init(attributes, hashing: erasedHashing) { resolver, arguments in
      guard let arguments else {
        preconditionFailure("AsyncFactoryRecord.init: the key must have arguments")
      }
      return try await factory(resolver, arguments.arguments(of: Arguments.self))
    }
  }

  override func values(of arguments: AnyArguments) -> ArgumentValues? { hashing?(arguments) }

  override func makeCopy(_ attributes: RegistrationAttributes) -> RegistrationRecord {
    AsyncFactoryRecord(attributes, hashing: hashing, factory: factory)
  }

  override func buildAsync(
    _ resolver: Resolver, _ arguments: AnyArguments?
  ) async throws -> AnyInstanceBox {
    InstanceBox(try await factory(resolver, arguments))
  }
}
