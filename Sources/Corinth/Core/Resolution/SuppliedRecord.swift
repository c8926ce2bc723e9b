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

  override func build(_ resolver: Resolver, _ arguments: AnyArguments?) throws -> AnyInstanceBox {
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
}

extension ContainerCore {
  /// An instance of a key's registration, or else the result of `build`, which is then registered.
  @usableFromInline @inline(never)
  func resolve<Product>(
    _ product: Product.Type, name: Name?, at location: SourceLocation,
    within context: ResolutionContext?, orBuild build: (Resolver) throws -> Product
  ) throws -> Product {
    let key = RegistrationKey(product: product, name: name)
    while true {
      if let slot = registeredSlot(of: key) {
        if let box = try box(in: slot, arguments: nil, within: context) {
          return box.instance(of: product)
        }
        continue
      }
      try throwIfClosed(lookingFor: key)
      if isFrozen { throw RegistrationError.containerFrozen(key: key, location: location) }
      let own = table.slotMade(for: key)
      let pending = implicitRegistrations().pending.slotMade(for: key)
      guard let record = pendingRecord(SuppliedRecord<Product>.self, key, location, own, pending)
      else { continue }
      let instance = try record.resolve(in: own, for: self, within: context, building: build)
      registerPending(record, own, pending)
      return instance
    }
  }

  /// The future registration, pending until its first instance.
  ///
  /// - Returns: `nil` if the key has a registration by now, or the container is closed.
  private func pendingRecord<Product>(
    _: SuppliedRecord<Product>.Type, _ key: RegistrationKey, _ location: SourceLocation,
    _ own: SlotReference, _ pending: SlotReference
  ) -> SuppliedRecord<Product>? {
    let fresh = SuppliedRecord<Product>(
      RegistrationAttributes(
        key: key, scope: .singleton, location: location, owner: self))
    return table.withWriterLock { () -> SuppliedRecord<Product>? in
      if isClosed || !own.load().isAbsent { return nil }
      if let found = pending.withRegistrationAssumingWriterLockHeld({ $0 }) {
        // SAFETY: the key decides the product, and only this function publishes pending records.
        return unsafe unsafeDowncast(found, to: SuppliedRecord<Product>.self)
      }
      _ = pending.publishAssumingWriterLockHeld(fresh)
      return fresh
    }
  }

  /// Registers the built instance. Every caller with the instance registers before returning, so
  /// that its next resolve finds the instance.
  private func registerPending(
    _ record: RegistrationRecord, _ own: SlotReference, _ pending: SlotReference
  ) {
    guard record.isBuilt else { return }
    table.withWriterLock { () -> RetiredRegistration? in
      guard pending.withRegistrationAssumingWriterLockHeld({ $0 === record }) ?? false else {
        return nil
      }
      if !isClosed, own.load().isAbsent { _ = own.publishAssumingWriterLockHeld(record) }
      return pending.clearAssumingWriterLockHeld()
    }?.retire()
  }
}
