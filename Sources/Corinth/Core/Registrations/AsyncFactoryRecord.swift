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
  private let ownHashing: ArgumentHashing?

  init(
    _ attributes: RegistrationAttributes,
    factory: @escaping @Sendable (Resolver) async throws -> sending Product
  ) {
    // SAFETY: as above.
    self.factory = unsafe unsafeBitCast(Counted(factory: factory), to: Uncounted.self).factory
    factoryWithArguments = nil
    ownHashing = nil
    super.init(attributes, factoryKind: .asynchronous)
  }

  private init(
    _ attributes: RegistrationAttributes, hashing: ArgumentHashing?,
    _ factory: @escaping FactoryWithArguments
  ) {
    self.factory = { _ in
      preconditionFailure("AsyncFactoryRecord.factory: the key must have no arguments")
    }
    factoryWithArguments = factory
    ownHashing = hashing
    super.init(attributes, factoryKind: .asynchronous, hashing: hashing)
  }

  private init(copying record: AsyncFactoryRecord, with attributes: RegistrationAttributes) {
    factory = record.factory
    factoryWithArguments = record.factoryWithArguments
    ownHashing = record.ownHashing
    super.init(attributes, factoryKind: .asynchronous, hashing: record.hashing)
  }

  /// - Parameters:
  ///   - hashing: compares the arguments; `nil` when they are not `Hashable`.
  ///   - factory: takes all arguments as one value.
  convenience init<Arguments>(
    _ attributes: RegistrationAttributes, hashing: ArgumentHashing?,
    taking factory: @escaping @Sendable (Resolver, Arguments) async throws -> sending Product
  ) {
    self.init(attributes, hashing: hashing) { resolver, arguments in
      try await factory(resolver, arguments.arguments(of: Arguments.self))
    }
  }

  // Structures, as a bare closure would be converted to a closure with indirect parameters.

  private struct Counted {
    let factory: @Sendable (Resolver) async throws -> sending Product
  }

  private struct Uncounted {
    let factory: @Sendable (UncountedResolver) async throws -> sending Product
  }

  override var hashing: ArgumentHashing? { ownHashing }

  override func makeCopy(_ attributes: RegistrationAttributes) -> RegistrationRecord {
    AsyncFactoryRecord(copying: self, with: attributes)
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
