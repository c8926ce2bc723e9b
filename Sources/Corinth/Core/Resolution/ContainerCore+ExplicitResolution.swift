// SPDX-License-Identifier: MIT

/// Resolutions that a caller begins, joins and asks.
extension ContainerCore {
  /// Runs `body` in the innermost unfinished resolution of the container's own, as run by the
  /// calling thread or task, or else in a new resolution.
  func withOwnResolution<Result>(
    _ body: (ResolutionContext) throws -> Result
  ) rethrows -> Result {
    if let own = ownResolution { return try body(own) }
    return try ResolutionContext.run(RoleContext(.block(of: ObjectIdentifier(self))), body)
  }

  var ownResolution: ResolutionContext? {
    ResolutionContext.current?.firstInChain { ($0 as? RoleContext)?.isBlock(of: self) ?? false }
  }

  /// Runs `body` in the resolution of `requester`, or of the thread or task, or else in a new one.
  func withResolution<Result>(
    requestedBy requester: ResolutionContext?, _ body: (ResolutionContext) throws -> Result
  ) rethrows -> Result {
    let current = ResolutionContext.unfinished(requester) ?? .unfinished(.current)
    if let current { return try body(current) }
    return try ResolutionContext.run(GraphContext(in: self), body)
  }

  /// An instance kept by the resolution of a context: published, or a complete graph instance.
  func instance<Product>(
    of product: Product.Type, name: Name?, in context: ResolutionContext
  ) -> Product? {
    let hasPublished = context.mayHavePublished
    let mayHaveOthers = tracksResolutions && context.root.hasGraphInstances
    if !hasPublished, !mayHaveOthers { return nil }
    let key = RegistrationKey(product: product, name: name)
    if hasPublished, let box = context.published(key, in: self) {
      return box.instance(of: product)
    }
    if !mayHaveOthers { return nil }
    guard let slot = registeredSlot(of: key), let record = slot.registration,
      record.policy.storage == .resolution
    else { return nil }
    return context.root.graphInstance(of: record, in: self)?.instance(of: product)
  }

  /// A key with arguments names no instance.
  func refuseArguments(of key: RegistrationKey) throws(ResolutionError) {
    guard let arguments = key.argumentList else { return }
    let keyWithout = RegistrationKey(product: key.product, name: key.name)
    throw .noRegistrationFound(
      ResolutionError.Context(
        refusing: keyWithout,
        suggestions: {
          [
            "the key that was asked for has arguments \(arguments): resolve(_:arguments:) takes them."
          ]
        }))
  }
}
