// SPDX-License-Identifier: MIT

internal import Synchronization

/// The instance of a ``Lazy``: built at first use, and kept.
///
/// It is that of a singleton registration of its own, which no slot holds: waits, cycles and errors are those of any
/// construction. An asynchronous product needs another kind of registration. Which one is decided at each use, as the
/// product may be overridden until it is built; the instance that is complete first is kept.
final class DeferredInstance<Product>: Sendable {
  private let core: ContainerCore
  /// The key of the lazy value, which stands in the paths of errors.
  private let ownSlot: SlotPlaceholder
  private let target: RegistrationKey
  private let kept = AtomicLazyReference<InstanceBox<Product>>()
  private let onThread = AtomicLazyReference<FactoryRecord<Product>>()
  private let inTask = AtomicLazyReference<AsyncFactoryRecord<Product>>()

  /// - Parameters:
  ///   - key: the key of the lazy value.
  ///   - target: the key that it resolves.
  init(_ key: RegistrationKey, resolving target: RegistrationKey, in core: ContainerCore) {
    self.core = core
    self.target = target
    ownSlot = SlotPlaceholder(for: key)
  }

  /// The instance, if it has been built.
  var built: InstanceBox<Product>? { kept.load() }

  func resolve() throws -> Product {
    if let built { return built.instance }
    return try keep(
      synchronousRecord.resolveBox(in: ownSlot.slot, for: core, within: nil, arguments: nil))
  }

  nonisolated(nonsending)
    func resolveAsync() async throws -> Product
  {
    if let built { return built.instance }
    let record: RegistrationRecord =
      core.mayBuildAsynchronously(target) ? asynchronousRecord : synchronousRecord
    return try keep(
      await record.resolveBoxAsync(in: ownSlot.slot, for: core, within: nil, arguments: nil))
  }

  private func keep(_ box: AnyInstanceBox) -> Product {
    // SAFETY: both records make boxes of this product only.
    let box = unsafe unsafeDowncast(box, to: InstanceBox<Product>.self)
    return kept.storeIfNil(box).instance
  }

  private var attributes: RegistrationAttributes {
    RegistrationAttributes(
      key: ownSlot.slot.key, scope: .singleton, isOverridable: true,
      location: core.locationOfContent(of: target), owner: core)
  }

  private var synchronousRecord: FactoryRecord<Product> {
    if let record = onThread.load() { return record }
    let target = target
    return onThread.storeIfNil(
      FactoryRecord(attributes) { resolver in
        try resolver.registry.box(of: target, arguments: nil, within: resolver.construction)
          .instance(of: Product.self)
      })
  }

  private var asynchronousRecord: AsyncFactoryRecord<Product> {
    if let record = inTask.load() { return record }
    let target = target
    return inTask.storeIfNil(
      AsyncFactoryRecord(attributes, hashing: nil) { resolver, _ in
        try await resolver.registry.boxAsync(
          of: target, arguments: nil, within: resolver.construction
        ).instance(of: Product.self)
      })
  }
}

extension ContainerCore {
  /// Whether only `resolveAsync` may be able to build an instance of a key.
  fileprivate func mayBuildAsynchronously(_ key: RegistrationKey) -> Bool {
    var key = key
    // Forwards may lead back to themselves: the resolve says so.
    for _ in 0..<forwardsAtMost {
      guard let record = registeredSlot(of: key)?.registration else {
        return mayDeriveAsynchronously(key)
      }
      guard let target = record.forwardedKey else { return record.isAsynchronous }
      key = target
    }
    return true
  }

  private var forwardsAtMost: Int { 32 }

  private func mayDeriveAsynchronously(_ key: RegistrationKey) -> Bool {
    let dependency = Dependency(parameter: key.product)
    switch dependency.kind {
    case .lazy, .provider, .argument: return false
    case .collection:
      let slots = try? collectedSlots(of: dependency.key.product)
      return slots?.contains { $0.registration?.mayBuildAsynchronously ?? false } ?? false
    case .required, .optional:
      return dependency.key == key ? false : mayBuildAsynchronously(dependency.key)
    }
  }

  /// Where a key is registered, or the content of a derived product.
  fileprivate func locationOfContent(of key: RegistrationKey) -> SourceLocation {
    let content = Dependency(parameter: key.product).key
    let slot =
      registeredSlot(of: key) ?? registeredSlot(of: content)
      ?? (try? collectedSlots(of: content.product))?.first
    return slot?.registration?.location ?? SourceLocation(file: "unknown", line: 0)
  }
}
