// SPDX-License-Identifier: MIT

/// A registration whose factory is synchronous and takes no arguments.
///
/// One class for all products: the runtime takes longer to look up a generic class of the product
/// than for all other work of a registration, and a kilobyte.
// SAFETY: see the superclass.
final class FactoryRecord: RegistrationRecord, @unchecked Sendable {
  /// The factory, bit by bit: every closure is two words, whatever the parameters and results. The
  /// erased closure is only copied, never called.
  private let factory: @Sendable () -> Void

  /// A closure in a record's representation, in which the product's type is a type parameter.
  private struct Typed<Product> {
    let factory: @Sendable (Resolver) throws -> Product
  }

  private struct Erased {
    let factory: @Sendable () -> Void
  }

  // Inlined: as a call, it would cost the closure a second reference.
  @inline(__always)
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

  override func build(
    _ resolver: UncountedResolver, _: AnyArguments?
  ) throws -> AnyInstanceBox {
    try Corinth.build(self, attributes.key.product, resolver)
  }

  override func buildForCell(_ resolver: UncountedResolver) throws -> PlaceWord {
    isClassInstance
      ? try object(with: resolver)
      : PlaceWord(holding: try Corinth.build(self, attributes.key.product, resolver))
  }

  // SAFETY, of all below: only for products that are classes, whose instances are one word.

  // Reads the factory as a factory of some one-word type: for the product's own type, the runtime
  // would be asked for the size, and to move the instance.
  @inline(__always)
  private func object(with resolver: UncountedResolver) throws -> PlaceWord {
    let record = unsafe Unmanaged.passUnretained(typed(self, by: Unmanaged<AnyObject>.self))
    // The uncounted reference saves a count of references.
    let object = unsafe try record._withUnsafeGuaranteedRef { unsafe try $0.factory(resolver) }
    return unsafe PlaceWord.canHold(UInt(bitPattern: object.toOpaque()))
      ? PlaceWord(object, isInstance: true) : boxed(takingOver: object)
  }

  /// An instance that no word can hold, in a box.
  @inline(never)
  private func boxed(takingOver instance: Unmanaged<AnyObject>) -> PlaceWord {
    defer { unsafe instance.release() }
    var address = unsafe UInt(bitPattern: instance.toOpaque())
    return unsafe PlaceWord(holding: box(ofObjectAt: &address))
  }

  override func box(ofObjectAt address: UnsafeRawPointer) -> AnyInstanceBox {
    func box<Product>(_ product: Product.Type) -> AnyInstanceBox {
      boxClass(of: product).init(unsafe address.load(as: product))
    }
    return box(attributes.key.product)
  }
}

// Inlined in debug builds too: constructions nest, and every frame takes from the thread's stack.
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

/// The typed view of a ``FactoryRecord`` for a known product. No object has the class; the
/// properties of the two lie at the same offsets.
@usableFromInline
// SAFETY: see the superclass.
final class TypedFactoryRecord<Product>: RegistrationRecord, @unchecked Sendable {
  // SAFETY: functions get parameters at +0, so that a resolver is passed as two words, identical to
  // those of an `UncountedResolver`.
  @usableFromInline let factory: @Sendable (UncountedResolver) throws -> Product

  private init(factory: @escaping @Sendable (UncountedResolver) throws -> Product) {
    preconditionFailure("TypedFactoryRecord.init: there are none")
  }
}

/// A registration whose factory is synchronous and takes arguments; `Arguments` is a single type or
/// the tuple of several.
@usableFromInline
// SAFETY: see the superclass.
final class ArgumentFactoryRecord<Product, Arguments>: RegistrationRecord, @unchecked Sendable {
  @usableFromInline typealias Factory = @Sendable (Resolver, Arguments) throws -> Product
  @usableFromInline let factory: Factory

  init(_ attributes: RegistrationAttributes, factory: @escaping Factory) {
    self.factory = factory
    super.init(attributes, factoryKind: .withArguments)
  }

  override func makeCopy(_ attributes: RegistrationAttributes) -> RegistrationRecord {
    ArgumentFactoryRecord(attributes, factory: factory)
  }

  override func build(
    _ resolver: UncountedResolver, _ arguments: AnyArguments?
  ) throws -> AnyInstanceBox {
    guard let arguments else {
      preconditionFailure("ArgumentFactoryRecord.build: the key must have arguments")
    }
    return try boxClass(of: Product.self).init(
      factory(resolver.counted, arguments.arguments(of: Arguments.self)))
  }
}
