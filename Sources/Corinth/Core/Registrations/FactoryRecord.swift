// SPDX-License-Identifier: MIT

/// A registration whose factory is synchronous and takes no arguments.
@usableFromInline
// SAFETY: see the superclass.
final class FactoryRecord<Product>: RegistrationRecord, @unchecked Sendable {
  @usableFromInline typealias Factory = @Sendable (Resolver) throws -> Product
  @usableFromInline let factory: Factory
  /// The class of the boxes, if instances are shared. To look a generic class up takes as long as all else that building
  /// a box does; here it is done once.
  private let boxClass: InstanceBox<Product>.Type?

  init(_ attributes: RegistrationAttributes, factory: @escaping Factory) {
    self.factory = factory
    boxClass = attributes.scope == .transient ? nil : InstanceBox<Product>.self
    super.init(attributes, factoryKind: .simple)
  }

  override func copy(_ attributes: RegistrationAttributes) -> RegistrationRecord {
    FactoryRecord(attributes, factory: factory)
  }

  override func build(_ resolver: Resolver, _: AnyArguments?) throws -> AnyInstanceBox {
    try (boxClass ?? InstanceBox<Product>.self).init(factory(resolver))
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
