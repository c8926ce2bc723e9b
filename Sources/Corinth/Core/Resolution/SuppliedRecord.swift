// SPDX-License-Identifier: MIT

/// A way to build an instance, passed by one resolve's caller.
// SAFETY: only the resolve's thread calls the functions: it passes the object to its constructions.
final class Initializer<Product>: AnyArguments, @unchecked Sendable {
  private var build: ((Resolver) throws -> Product)?

  init(_ build: @escaping (Resolver) throws -> Product) {
    self.build = build
  }

  /// `nil` once the resolve has ended.
  func callAsFunction(_ resolver: Resolver) throws -> Product? { try build?(resolver) }

  /// Releases the closure, whose life ends with the resolve.
  func end() {
    build = nil
  }
}

/// A registration without a factory: the caller of `resolveOrBuild` supplies one.
// SAFETY: see the superclass.
final class SuppliedRecord<Product>: RegistrationRecord, @unchecked Sendable {
  init(_ attributes: RegistrationAttributes, kind: FactoryKind = .supplied) {
    super.init(attributes, factoryKind: kind)
  }

  override func makeCopy(_ attributes: RegistrationAttributes) -> RegistrationRecord {
    SuppliedRecord(attributes, kind: factoryKind)
  }

  override func build(
    _ uncounted: UncountedResolver, _ arguments: AnyArguments?
  ) throws -> AnyInstanceBox {
    let resolver = uncounted.counted
    guard let initializer = arguments as? Initializer<Product>,
      let product = try initializer(resolver)
    else { throw resolver.registry.missing(key) }
    return InstanceBox(product)
  }
}

extension SuppliedRecord {
  /// The instance, built by `build` if missing.
  final func resolve(
    in slot: SlotReference, for container: ContainerCore, within context: ResolutionContext?,
    building build: (Resolver) throws -> Product
  ) throws(ResolutionError) -> Product {
    let result = withoutActuallyEscaping(build) { build in
      let initializer = Initializer(build)
      defer { initializer.end() }
      return Result { () throws(ResolutionError) in
        try box(
          Request(slot, for: container, within: context, arguments: initializer))
      }
    }
    return try result.get().instance(of: Product.self)
  }

  /// The future registration of a key, pending until its first instance.
  ///
  /// - Parameters:
  ///   - own: the container's slot for the key.
  ///   - pending: the slot for the registration.
  /// - Returns: `nil` if the key has a registration by now, or the container is closed.
  static func pending(
    _ key: RegistrationKey, at location: SourceLocation, in container: ContainerCore,
    _ own: SlotReference, _ pending: SlotReference
  ) -> SuppliedRecord? {
    let fresh = SuppliedRecord(
      RegistrationAttributes(key: key, scope: .singleton, location: location, owner: container))
    return container.table.withWriterLock { () -> SuppliedRecord? in
      if container.isClosed || !own.load().isAbsent { return nil }
      if let found = pending.registrationAssumingWriterLockHeld {
        // SAFETY: the key decides the product, and only this function publishes pending records.
        return unsafe unsafeDowncast(found, to: SuppliedRecord.self)
      }
      _ = pending.publishAssumingWriterLockHeld(fresh)
      return fresh
    }
  }

  /// Registers the record with the built instance. Every caller with the instance registers before
  /// returning, so that its next resolve finds the instance.
  final func register(_ own: SlotReference, _ pending: SlotReference) {
    guard isBuilt else { return }
    owner.table.withWriterLock { () -> RetiredRegistration? in
      guard pending.withRegistrationAssumingWriterLockHeld({ $0 === self }) ?? false else {
        return nil
      }
      if !owner.isClosed, own.load().isAbsent { _ = own.publishAssumingWriterLockHeld(self) }
      return pending.clearAssumingWriterLockHeld()
    }?.retire()
  }
}
