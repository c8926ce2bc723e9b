// SPDX-License-Identifier: MIT

/// A registration whose factory is synchronous and takes no arguments.
///
/// One class for all products: a class of a product's own takes the runtime longer to look up than all else that a
/// registration does, and a kilobyte.
// SAFETY: see the superclass.
final class FactoryRecord: RegistrationRecord, @unchecked Sendable {
  /// The factory, bit by bit: a closure is two words, whatever it takes and returns. It is not called, only copied, which is the
  /// same for all.
  private let factory: @Sendable () -> Void

  /// A closure as a record has it, where the type of its product is that of a parameter.
  private struct Typed<Product> {
    let factory: @Sendable (Resolver) throws -> Product
  }

  private struct Erased {
    let factory: @Sendable () -> Void
  }

  init<Product>(
    _ attributes: consuming RegistrationAttributes,
    factory: @escaping @Sendable (Resolver) throws -> Product
  ) {
    unsafe self.factory = unsafeBitCast(Typed(factory: factory), to: Erased.self).factory
    super.init(consume attributes, factoryKind: .simple)
  }

  private init(copying record: FactoryRecord, with attributes: RegistrationAttributes) {
    factory = record.factory
    super.init(attributes, factoryKind: .simple)
  }

  override func makeCopy(_ attributes: RegistrationAttributes) -> RegistrationRecord {
    FactoryRecord(copying: self, with: attributes)
  }

  override func build(_ resolver: Resolver, _: AnyArguments?) throws -> AnyInstanceBox {
    try Corinth.build(self, attributes.key.product, UncountedResolver(resolver))
  }

  override func build(with resolver: UncountedResolver) throws -> AnyInstanceBox {
    try Corinth.build(self, attributes.key.product, resolver)
  }

  // SAFETY, of both: called if the product is a class, so that an instance is one word.

  // Of any type of one word: with its own, the runtime would be asked for its size, and to move it.
  override func build(
    in container: ContainerCore, _ construction: ResolutionContext?
  ) throws -> Unmanaged<AnyObject> {
    let resolver = UncountedResolver(registry: container, construction: construction)
    let record = unsafe Unmanaged.passUnretained(typed(self, by: Unmanaged<AnyObject>.self))
    // In this way without a count of references.
    return unsafe try record._withUnsafeGuaranteedRef { unsafe try $0.factory(resolver) }
  }

  override func box(ofObjectAt address: UnsafeRawPointer) -> AnyInstanceBox {
    func box<Product>(_ product: Product.Type) -> AnyInstanceBox {
      boxClass(of: product).init(unsafe address.load(as: product))
    }
    return box(attributes.key.product)
  }
}

// Inlined without optimization too: constructions nest, and each frame takes of the thread's stack.
@_transparent
private func typed<Product>(
  _ record: FactoryRecord, by product: Product.Type
) -> TypedFactoryRecord<Product> {
  // SAFETY: a record has the factory of its key's product.
  unsafe unsafeBitCast(record, to: TypedFactoryRecord<Product>.self)
}

@_transparent
private func build<Product>(
  _ record: FactoryRecord, _ product: Product.Type, _ resolver: UncountedResolver
) throws -> AnyInstanceBox {
  try boxClass(of: product).init(typed(record, by: product).factory(resolver))
}

/// What a ``FactoryRecord`` is read as where its product is known. No object has this class, whose properties are in the same
/// places.
@usableFromInline
// SAFETY: see the superclass.
final class TypedFactoryRecord<Product>: RegistrationRecord, @unchecked Sendable {
  // SAFETY: a function gets its parameters at +0, so that a resolver is passed as its two words: they are those of an
  // `UncountedResolver`, too.
  @usableFromInline let factory: @Sendable (UncountedResolver) throws -> Product

  private init(factory: @escaping @Sendable (UncountedResolver) throws -> Product) {
    preconditionFailure("TypedFactoryRecord.init: there are none")
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
