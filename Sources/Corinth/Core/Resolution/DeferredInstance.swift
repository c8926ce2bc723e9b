// SPDX-License-Identifier: MIT

/// The instance of a ``Lazy``: built at first use, and kept.
///
/// The instance of a private singleton registration, in no container's slot: waits, cycles and
/// errors are as usual. An asynchronous product needs a second kind of registration. Each use
/// chooses between the two, as the product may be overridden until built; the first result is kept.
///
/// Without the product's type: the runtime takes longer to look up generic types than for all else.
final class DeferredInstance: Sendable {
  private let core: ContainerCore
  /// The key of the lazy value, as shown in the paths of errors.
  private let key: RegistrationKey
  private let target: RegistrationKey
  private let kept = MadeOnce<AnyInstanceBox>()
  private let onThread = MadeOnce<DeferredRecord>()
  private let inTask = MadeOnce<DeferredRecord>()

  /// - Parameters:
  ///   - key: the key of the lazy value.
  ///   - target: the key to resolve.
  init(_ key: RegistrationKey, resolving target: RegistrationKey, in core: ContainerCore) {
    self.key = key
    self.target = target
    self.core = core
  }

  /// A box that holds an instance of the target's type.
  func resolve() throws -> AnyInstanceBox {
    try kept.load() ?? kept.storeIfNil(record(inTask: false).instance())
  }

  nonisolated(nonsending)
    func resolveAsync() async throws -> AnyInstanceBox
  {
    if let built = kept.load() { return built }
    let record = record(inTask: mayBuildAsynchronously(target))
    return kept.storeIfNil(try await record.resolveBoxAsync(record.request))
  }

  private func record(inTask isAsynchronous: Bool) -> DeferredRecord {
    if let record = isAsynchronous ? inTask.load() : onThread.load() { return record }
    let attributes = RegistrationAttributes(
      key: key, scope: .singleton, location: locationOfContent(of: target),
      owner: core)
    let record = DeferredRecord(attributes, resolving: target, isAsynchronous: isAsynchronous)
    return isAsynchronous ? inTask.storeIfNil(record) : onThread.storeIfNil(record)
  }

  /// Whether only `resolveAsync` may be able to build an instance of a key.
  private func mayBuildAsynchronously(_ key: RegistrationKey) -> Bool {
    var key = key
    // Forwards may lead back to themselves: the resolve says so.
    for _ in 0..<Self.forwardsAtMost {
      guard let record = core.registeredSlot(of: key)?.registration else {
        return mayDeriveAsynchronously(key)
      }
      guard let target = record.forwardedKey else { return record.isAsynchronous }
      key = target
    }
    return true
  }

  private static var forwardsAtMost: Int { 32 }

  private func mayDeriveAsynchronously(_ key: RegistrationKey) -> Bool {
    let dependency = Dependency(parameter: key.product)
    switch dependency.kind {
    case .lazy, .provider, .argument, .container: return false
    case .collection:
      let slots = try? core.collectedSlots(of: dependency.key.product)
      return slots?.contains { $0.registration?.mayBuildAsynchronously ?? false } ?? false
    case .required, .optional:
      return dependency.key == key ? false : mayBuildAsynchronously(dependency.key)
    }
  }

  /// Where a key is registered, or the content of a derived product.
  private func locationOfContent(of key: RegistrationKey) -> SourceLocation {
    if let slot = core.registeredSlot(of: key), let location = slot.withRegistration(\.location) {
      return location
    }
    let content = Dependency(parameter: key.product).key
    let slot =
      core.registeredSlot(of: content) ?? (try? core.collectedSlots(of: content.product))?.first
    return slot?.registration?.location ?? SourceLocation(file: "unknown", line: 0)
  }
}

/// The registration of a deferred instance.
// SAFETY: see the superclass.
private final class DeferredRecord: RedirectingRecord, @unchecked Sendable {
  private let target: RegistrationKey
  private let placeholder: SlotPlaceholder

  init(
    _ attributes: RegistrationAttributes, resolving target: RegistrationKey, isAsynchronous: Bool
  ) {
    self.target = target
    placeholder = SlotPlaceholder(for: attributes.key)
    super.init(attributes, factoryKind: isAsynchronous ? .lazyInTask : .lazy)
  }

  func instance() throws(ResolutionError) -> AnyInstanceBox { try box(request) }

  /// The slot, always empty, stands for the registration.
  var request: Request { Request(placeholder.slot, for: owner) }

  // A copy, as the target's box may belong to the target's registration.

  override func build(
    _ uncounted: UncountedResolver, _: AnyArguments?
  ) throws -> AnyInstanceBox {
    let resolver = uncounted.counted
    resolver.construction?.markPassingOn()
    try ResolutionContext.refuseRecursion(of: key, in: resolver.construction, naming: target)
    return try resolver.registry.box(of: target, arguments: nil, within: resolver.construction)
      .makeCopy()
  }

  override func redirect(_ resolver: Resolver, _: AnyArguments?) throws -> Redirect {
    resolver.construction?.markPassingOn()
    try ResolutionContext.refuseRecursion(of: key, in: resolver.construction, naming: target)
    return Redirect(goal: .each, keys: [target]) { $0[0].box.makeCopy() }
  }
}
