// SPDX-License-Identifier: MIT

/// A registration whose factory is asynchronous.
// SAFETY: see the superclass.
final class AsyncFactoryRecord<Product>: RegistrationRecord, @unchecked Sendable {
  enum Factory {
    case plain(@Sendable (Resolver) async throws -> sending Product)
    /// Its arguments are one value.
    case withArguments(@Sendable (Resolver, AnyArguments) async throws -> sending Product)
  }

  let factory: Factory
  private let ownHashing: ArgumentHashing?

  private init(_ attributes: RegistrationAttributes, hashing: ArgumentHashing?, _ factory: Factory)
  {
    self.factory = factory
    ownHashing = hashing
    super.init(attributes, factoryKind: .asynchronous, hashing: hashing)
  }

  convenience init(
    _ attributes: RegistrationAttributes,
    factory: @escaping @Sendable (Resolver) async throws -> sending Product
  ) {
    self.init(attributes, hashing: nil, .plain(factory))
  }

  /// - Parameters:
  ///   - hashing: compares the arguments; `nil` when they are not `Hashable`.
  ///   - factory: takes its arguments as one value.
  convenience init<Arguments>(
    _ attributes: RegistrationAttributes, hashing: ArgumentHashing?,
    taking factory: @escaping @Sendable (Resolver, Arguments) async throws -> sending Product
  ) {
    self.init(
      attributes, hashing: hashing,
      .withArguments { resolver, arguments in
        try await factory(resolver, arguments.arguments(of: Arguments.self))
      })
  }

  override var hashing: ArgumentHashing? { ownHashing }

  override func makeCopy(_ attributes: RegistrationAttributes) -> RegistrationRecord {
    AsyncFactoryRecord(attributes, hashing: hashing, factory)
  }

  nonisolated(nonsending)
    override func buildAsync(
      _ resolver: Resolver, _ arguments: AnyArguments?
    ) async throws -> AnyInstanceBox
  {
    switch factory {
    case .plain(let factory): return InstanceBox(try await factory(resolver))
    case .withArguments(let factory):
      guard let arguments else {
        preconditionFailure("AsyncFactoryRecord.buildAsync: the key must have arguments")
      }
      return InstanceBox(try await factory(resolver, arguments))
    }
  }
}
