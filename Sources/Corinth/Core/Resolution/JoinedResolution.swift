// SPDX-License-Identifier: MIT

/// Resolutions that a caller begins, joins and asks.
extension ResolutionContext {
  /// Runs `body` in the innermost unfinished resolution of a container's own, as run by the calling
  /// thread or task, or else in a new resolution.
  static func runOwn<Result>(
    of container: ContainerCore, _ body: (ResolutionContext) throws -> Result
  ) rethrows -> Result {
    if let own = own(of: container) { return try body(own) }
    return try run(RoleContext(.block(of: ObjectIdentifier(container))), body)
  }

  static func own(of container: ContainerCore) -> ResolutionContext? {
    current?.firstInChain { $0.isBlock(of: container) }
  }

  /// Runs `body` in the resolution of `requester`, or of the thread or task, or else in a new one.
  static func run<Result>(
    in container: ContainerCore, requestedBy requester: ResolutionContext?,
    _ body: (ResolutionContext) throws -> Result
  ) rethrows -> Result {
    if let joined = unfinished(requester) ?? unfinished(current) { return try body(joined) }
    return try run(GraphContext(in: container), body)
  }

  /// An instance kept by the resolution: published, or a complete graph instance.
  final func instance<Product>(
    of product: Product.Type, name: Name?, in container: ContainerCore
  ) -> Product? {
    let hasPublished = mayHavePublished
    let mayHaveOthers = container.tracksResolutions && root.hasGraphInstances
    if !hasPublished, !mayHaveOthers { return nil }
    let key = RegistrationKey(product: product, name: name)
    if hasPublished, let box = published(key, in: container) { return box.instance(of: product) }
    if !mayHaveOthers { return nil }
    guard let record = container.registeredSlot(of: key)?.registration,
      record.policy.storage == .resolution
    else { return nil }
    return root.graphInstance(of: record, in: container)?.instance(of: product)
  }
}
