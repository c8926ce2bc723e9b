// SPDX-License-Identifier: MIT

/// A factory without arguments. Its callers hold the objects of its resolver during the call.
@usableFromInline
struct Factory<Product>: Sendable {
  @usableFromInline let make: @Sendable (UncountedResolver) throws -> Product

  init(_ make: @escaping @Sendable (Resolver) throws -> Product) {
    // SAFETY: a function gets its parameters at +0. So a resolver is passed as its two words, which are the same in both.
    unsafe self = unsafeBitCast(Counting(make: make), to: Self.self)
  }

  private struct Counting {
    let make: @Sendable (Resolver) throws -> Product
  }
}

/// A factory of any product: a closure is two words, whatever it takes and returns.
@usableFromInline
struct ErasedFactory: Sendable {
  private let closure: @Sendable () -> Void

  /// The factory, whose product it is.
  @inlinable @inline(__always)
  func typed<Product>(by product: Product.Type) -> Factory<Product> {
    // SAFETY: a record has the factory of its key's product.
    unsafe unsafeBitCast(self, to: Factory<Product>.self)
  }
}

/// A registration whose factory is synchronous and takes no arguments.
///
/// One class for all products: a class of a product's own takes the runtime longer to look up than all else that a
/// registration does, and a kilobyte.
@usableFromInline
// SAFETY: see the superclass.
final class FactoryRecord: RegistrationRecord, @unchecked Sendable {
  // SAFETY: a `Factory` of the key's product, bit by bit. The closure is not called, only copied, which is the same for all.
  @usableFromInline let factory: ErasedFactory

  init<Product>(
    _ attributes: consuming RegistrationAttributes,
    factory: @escaping @Sendable (Resolver) throws -> Product
  ) {
    unsafe self.factory = unsafeBitCast(Factory(factory), to: ErasedFactory.self)
    super.init(consume attributes, factoryKind: .simple)
  }

  private init(_ attributes: RegistrationAttributes, _ factory: ErasedFactory) {
    self.factory = factory
    super.init(attributes, factoryKind: .simple)
  }

  override func makeCopy(_ attributes: RegistrationAttributes) -> RegistrationRecord {
    FactoryRecord(attributes, factory)
  }

  override func build(_ resolver: Resolver, _: AnyArguments?) throws -> AnyInstanceBox {
    try factory.build(
      attributes.key.product,
      UncountedResolver(registry: resolver.registry, construction: resolver.construction))
  }

  // SAFETY, of both: called if the product is a class, so that an instance is one word.

  override func build(
    in container: ContainerCore, _ construction: ResolutionContext?,
    into object: UnsafeMutableRawPointer
  ) throws {
    unsafe try factory.build(
      attributes.key.product,
      UncountedResolver(registry: container, construction: construction), into: object)
  }

  override func box(ofObjectAt address: UnsafeRawPointer) -> AnyInstanceBox {
    func box<Product>(_ product: Product.Type) -> AnyInstanceBox {
      boxClass(of: product).init(unsafe address.load(as: product))
    }
    return box(attributes.key.product)
  }
}

// Inlined without optimisation too: constructions nest, and each frame takes of the thread's stack.
extension ErasedFactory {
  @_transparent
  fileprivate func build<Product>(
    _ product: Product.Type, _ resolver: UncountedResolver
  ) throws -> AnyInstanceBox {
    try boxClass(of: product).init(typed(by: product).make(resolver))
  }

  @_transparent
  fileprivate func build<Product>(
    _ product: Product.Type, _ resolver: UncountedResolver, into object: UnsafeMutableRawPointer
  ) throws {
    unsafe object.assumingMemoryBound(to: product).initialize(
      to: try typed(by: product).make(resolver))
  }
}

/// A registration whose factory is synchronous and takes arguments, `Arguments` being one type or the tuple
/// of several.
@usableFromInline
// SAFETY: see the superclass.
final class ArgumentFactoryRecord<Product, Arguments>: RegistrationRecord, @unchecked Sendable {
  @usableFromInline typealias Factory = @Sendable (Resolver, Arguments) throws -> Product
  @usableFromInline let factory: Factory
  private let ownHashing: ArgumentHashing?

  init(
    _ attributes: RegistrationAttributes, hashing: ArgumentHashing?, factory: @escaping Factory
  ) {
    self.factory = factory
    ownHashing = hashing
    super.init(attributes, factoryKind: .withArguments, hashing: hashing)
  }

  override func makeCopy(_ attributes: RegistrationAttributes) -> RegistrationRecord {
    ArgumentFactoryRecord(attributes, hashing: hashing, factory: factory)
  }

  override var hashing: ArgumentHashing? { ownHashing }

  override func build(
    _ resolver: Resolver, _ arguments: AnyArguments?
  ) throws -> AnyInstanceBox {
    guard let arguments else {
      preconditionFailure("ArgumentFactoryRecord.build: the key must have arguments")
    }
    return try boxClass(of: Product.self).init(
      factory(resolver, arguments.arguments(of: Arguments.self)))
  }
}
