// SPDX-License-Identifier: MIT

extension RegistrationRecord {
  /// A function without a context: passing it on counts no references.
  @usableFromInline typealias SpecialisedFactory =
    @Sendable (RegistrationRecord, ContainerCore, ResolutionContext) throws -> AnyInstanceBox
}

/// A registration whose factory is synchronous and takes no arguments.
@usableFromInline
// SAFETY: see the superclass.
final class FactoryRecord<Product>: RegistrationRecord, @unchecked Sendable {
  @usableFromInline typealias Factory = @Sendable (Resolver) throws -> Product
  @usableFromInline let factory: Factory

  init(_ attributes: RegistrationAttributes, factory: @escaping Factory) {
    self.factory = factory
    super.init(attributes, factoryKind: .simple)
  }

  override func copy(_ attributes: RegistrationAttributes) -> RegistrationRecord {
    FactoryRecord(attributes, factory: factory)
  }

  override func build(_ resolver: Resolver, _: AnyArguments?) throws -> AnyInstanceBox {
    InstanceBox(try factory(resolver))
  }

  /// The same for records of this class, specialised where the product is known.
  @inlinable static var specialisedBuild: SpecialisedFactory {
    { record, registry, construction in
      // SAFETY: only called for records whose key has this product, and that say so (`hasSynchronousFactory`).
      let record = unsafe unsafeDowncast(record, to: FactoryRecord<Product>.self)
      return InstanceBox(
        try record.factory(Resolver(registry: registry, construction: construction)))
    }
  }
}

/// A registration whose factory is synchronous and takes arguments, `Arguments` being one type or the tuple
/// of several.
@usableFromInline
// SAFETY: see the superclass.
final class ArgumentFactoryRecord<Product, Arguments>: RegistrationRecord, @unchecked Sendable {
  @usableFromInline typealias Factory = @Sendable (Resolver, Arguments) throws -> Product
  @usableFromInline typealias Hashing = @Sendable (Arguments) -> ArgumentValues
  @usableFromInline let factory: Factory
  let hashing: Hashing?

  init(_ attributes: RegistrationAttributes, hashing: Hashing?, factory: @escaping Factory) {
    self.factory = factory
    self.hashing = hashing
    super.init(attributes, factoryKind: .withArguments)
  }

  override func copy(_ attributes: RegistrationAttributes) -> RegistrationRecord {
    ArgumentFactoryRecord(attributes, hashing: hashing, factory: factory)
  }

  override func values(of arguments: AnyArguments) -> ArgumentValues? {
    hashing?(arguments.arguments(of: Arguments.self))
  }

  override func build(
    _ resolver: Resolver, _ arguments: AnyArguments?
  ) throws -> AnyInstanceBox {
    guard let arguments else {
      preconditionFailure("ArgumentFactoryRecord.build: the key must have arguments")
    }
    return InstanceBox(
      try factory(resolver, arguments.arguments(of: Arguments.self)))
  }
}
