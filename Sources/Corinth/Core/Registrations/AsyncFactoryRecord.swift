// SPDX-License-Identifier: MIT

/// A registration whose factory is asynchronous.
// SAFETY: see the superclass.
final class AsyncFactoryRecord<Product>: RegistrationRecord, @unchecked Sendable {
  typealias Hashing = @Sendable (AnyArguments) -> ArgumentValues
  enum Factory {
    case plain(@Sendable (Resolver) async throws -> sending Product)
    /// Its arguments are one value.
    case withArguments(@Sendable (Resolver, AnyArguments) async throws -> sending Product)
  }

  let factory: Factory
  private let hashing: Hashing?

  private init(_ attributes: RegistrationAttributes, hashing: Hashing?, _ factory: Factory) {
    self.factory = factory
    self.hashing = hashing
    super.init(attributes, factoryKind: .asynchronous)
  }

  convenience init(
    _ attributes: RegistrationAttributes,
    factory: @escaping @Sendable (Resolver) async throws -> sending Product
  ) {
    self.init(attributes, hashing: nil, .plain(factory))
  }

  /// - Parameters:
  ///   - hashing: makes a key of the arguments; `nil` when they are not `Hashable`.
  ///   - factory: takes its arguments as one value.
  convenience init<Arguments>(
    _ attributes: RegistrationAttributes, hashing: (@Sendable (Arguments) -> ArgumentValues)?,
    taking factory: @escaping @Sendable (Resolver, Arguments) async throws -> sending Product
  ) {
    var erasedHashing: Hashing?
    if let hashing { erasedHashing = { hashing($0.arguments(of: Arguments.self)) } }
    self.init(
      attributes, hashing: erasedHashing,
      .withArguments { resolver, arguments in
        try await factory(resolver, arguments.arguments(of: Arguments.self))
      })
  }

  override func values(of arguments: AnyArguments) -> ArgumentValues? { hashing?(arguments) }

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
