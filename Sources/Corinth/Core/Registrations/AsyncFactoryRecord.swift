// SPDX-License-Identifier: MIT

/// A registration whose factory is asynchronous.
// SAFETY: see the superclass.
final class AsyncFactoryRecord<Product>: RegistrationRecord, @unchecked Sendable {
  /// Takes the arguments as one value.
  typealias FactoryWithArguments =
    @Sendable (Resolver, AnyArguments) async throws -> sending Product

  // SAFETY: functions get parameters at +0, so that a resolver passes as an `UncountedResolver`'s
  // two words. Not an enumeration's case: a copy would count captures on a line all threads write.
  private let factory: @Sendable (UncountedResolver) async throws -> sending Product
  private let factoryWithArguments: FactoryWithArguments?

  private init(
    _ attributes: RegistrationAttributes,
    _ factory: @escaping @Sendable (UncountedResolver) async throws -> sending Product,
    _ factoryWithArguments: FactoryWithArguments?
  ) {
    self.factory = factory
    self.factoryWithArguments = factoryWithArguments
    super.init(attributes, factoryKind: .asynchronous)
  }

  convenience init(
    _ attributes: RegistrationAttributes,
    factory: @escaping @Sendable (Resolver) async throws -> sending Product
  ) {
    // SAFETY: as above.
    let uncounted = unsafe unsafeBitCast(Counted(factory: factory), to: Uncounted.self)
    self.init(attributes, uncounted.factory, nil)
  }

  /// - Parameter factory: takes all arguments as one value.
  convenience init<Arguments>(
    _ attributes: RegistrationAttributes,
    taking factory: @escaping @Sendable (Resolver, Arguments) async throws -> sending Product
  ) {
    self.init(
      attributes,
      { _ in preconditionFailure("AsyncFactoryRecord.factory: the key must have no arguments") },
      { try await factory($0, $1.arguments(of: Arguments.self)) })
  }

  // Structures, as a bare closure would be converted to a closure with indirect parameters.

  private struct Counted {
    let factory: @Sendable (Resolver) async throws -> sending Product
  }

  private struct Uncounted {
    let factory: @Sendable (UncountedResolver) async throws -> sending Product
  }

  override func makeCopy(_ attributes: RegistrationAttributes) -> RegistrationRecord {
    AsyncFactoryRecord(attributes, factory, factoryWithArguments)
  }

  nonisolated(nonsending)
    override func buildAsync(
      _ resolver: Resolver, _ arguments: AnyArguments?
    ) async throws -> AnyInstanceBox
  {
    if let factoryWithArguments {
      guard let arguments else {
        preconditionFailure("AsyncFactoryRecord.buildAsync: the key must have arguments")
      }
      return InstanceBox(try await factoryWithArguments(resolver, arguments))
    }
    defer { withExtendedLifetime(resolver) {} }
    return InstanceBox(try await factory(UncountedResolver(resolver)))
  }

  nonisolated(nonsending)
    override func buildAsync(
      with resolver: UncountedResolver, at place: UnsafeMutableRawPointer
    ) async throws
  {
    unsafe place.initializeMemory(as: Product.self, to: try await factory(resolver))
  }
}
