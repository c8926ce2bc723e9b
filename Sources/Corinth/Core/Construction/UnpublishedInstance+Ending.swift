// SPDX-License-Identifier: MIT

/// The end of constructions: waiters go on before any deinit runs, which may wait for a waiter.
extension UnpublishedInstance {
  /// Numbers the completion of an instance with a disposer. The mutex of the wait-for graph is held
  /// if any other construction may have borrowed the instance.
  func markCompleted() {
    if let disposingContainer { record.markCompleted(earlyReference, in: disposingContainer) }
  }

  /// Publishes numbered instances that are complete together, in the order in which the factories
  /// returned.
  static func publish(_ instances: [UnpublishedInstance]) {
    let areStoredByUser = areStoredByUser(instances)
    var removed: [AnyObject] = []
    for (index, instance) in instances.enumerated() {
      instance.storeInCustomStorage(before: instances[(index + 1)...])
      if areStoredByUser, instance.isExposed { WaitForGraph.endPublishing(instance) }
      removed += instance.publish()
    }
    for instance in instances { instance.release() }
    withExtendedLifetime(removed) {}
  }

  /// Whether a user's ``CustomStorage`` stores any of the instances.
  static func areStoredByUser(_ instances: [UnpublishedInstance]) -> Bool {
    instances.contains { $0.record.lifecycle.customStorage != nil }
  }

  private func publish() -> [AnyObject] {
    let (box, stored) = take()
    box.expiry = record.scope.cachePolicy.map { Expiry($0) }
    return construction.publish(
      box, storedAs: stored, of: record, in: slot, arguments: arguments)
  }

  /// Gives the instance to the user's ``CustomStorage``, if any. Runs inside the construction and
  /// all published after it: the user's code may ask for their products, but must not wait for any.
  private func storeInCustomStorage(before others: ArraySlice<UnpublishedInstance>) {
    guard let custom = record.lifecycle.customStorage else { return }
    let context = others.reduce(construction as ResolutionContext) {
      RoleContext(.join, enclosedBy: $0, requestedBy: $1.construction)
    }
    context.whileRunning {
      custom.set(
        earlyReference,
        StorageContext(construction.resolver, construction.number, arguments))
    }
  }

  /// Ends constructions without an instance.
  static func drop(_ instances: [UnpublishedInstance]) {
    var removed: [AnyObject] = []
    for instance in instances {
      removed += instance.construction.drop(becauseOf: WaitForGraph.failure(of: instance))
    }
    for instance in instances { instance.release() }
    withExtendedLifetime(removed) {}
  }
}
