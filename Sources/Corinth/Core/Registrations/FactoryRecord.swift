// SPDX-License-Identifier: MIT

internal import Synchronization

/// A registration whose factory is synchronous and takes no arguments.
@usableFromInline
// SAFETY: see the superclass.
final class FactoryRecord<Product>: RegistrationRecord, @unchecked Sendable {
  @usableFromInline typealias Factory = @Sendable (UncountedResolver) throws -> Product
  @usableFromInline let factory: Factory
  private let knownBoxClass = Atomic<UInt>(0)

  convenience init(
    _ attributes: consuming RegistrationAttributes,
    factory: @escaping @Sendable (Resolver) throws -> Product
  ) {
    self.init(attributes, taking: UncountedResolver.taken(by: factory))
  }

  private init(_ attributes: consuming RegistrationAttributes, taking factory: @escaping Factory) {
    self.factory = factory
    super.init(consume attributes, factoryKind: .simple)
  }

  override func makeCopy(_ attributes: RegistrationAttributes) -> RegistrationRecord {
    FactoryRecord(attributes, taking: factory)
  }

  override func build(_ resolver: Resolver, _: AnyArguments?) throws -> AnyInstanceBox {
    let resolver = UncountedResolver(
      registry: resolver.registry, construction: resolver.construction)
    return try boxClass.init(factory(resolver))
  }

  // SAFETY, of both: called if the product is a class, so that an instance is one word.

  override func build(
    in container: ContainerCore, _ construction: ResolutionContext?,
    into object: UnsafeMutableRawPointer
  ) throws {
    let resolver = UncountedResolver(registry: container, construction: construction)
    unsafe object.assumingMemoryBound(to: Product.self).initialize(to: try factory(resolver))
  }

  override func box(ofObjectAt address: UnsafeRawPointer) -> AnyInstanceBox {
    boxClass.init(unsafe address.load(as: Product.self))
  }

  /// The class of the boxes. The runtime takes longer to look it up than all else takes that makes a box, so it is
  /// looked up once.
  private var boxClass: InstanceBox<Product>.Type {
    // Pairs with the release below.
    let known = knownBoxClass.load(ordering: .acquiring)
    // SAFETY: only the class itself is stored; a metatype of a class is one word.
    if known != 0 { return unsafe unsafeBitCast(known, to: InstanceBox<Product>.Type.self) }
    let found = InstanceBox<Product>.self
    knownBoxClass.store(unsafe unsafeBitCast(found, to: UInt.self), ordering: .releasing)
    return found
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
    return InstanceBox(
      try factory(resolver, arguments.arguments(of: Arguments.self)))
  }
}
