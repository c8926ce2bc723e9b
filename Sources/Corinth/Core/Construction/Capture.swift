// SPDX-License-Identifier: MIT

/// Captive dependencies: the search for a construction whose instance would keep an instance of a
/// request scope beyond the scope.
extension ResolutionContext {
  /// Whether the calling thread is running a context for an instance kept by the scope. What the
  /// factory of such an instance asks of the scope was allowed when the instance was asked for.
  @inline(__always)
  static func isRunning(_ context: ResolutionContext?, asPartOf scope: ContainerCore) -> Bool {
    // SAFETY: the context's address is compared only: as a pointer, the context would be counted.
    guard let running = unsafe unretainedRunning,
      unsafe UInt(bitPattern: running.toOpaque()) == unsafeBitCast(context, to: UInt.self)
    else { return false }
    return unsafe running._withUnsafeGuaranteedRef { $0.isPart(ofScope: scope) }
  }

  /// Refuses a request scope's instance to a construction whose instance outlives the scope.
  @inline(__always)
  static func refuseCapture(
    of record: RegistrationRecord, beyond scope: ContainerCore?,
    requestedBy requester: ResolutionContext?
  ) throws(ResolutionError) {
    guard let captor = captor(beyond: scope, requestedBy: requester) else { return }
    throw .captiveDependency(
      ResolutionError.Context(refusing: record, capturedBy: ResolutionError.Captor(captor)))
  }

  /// A construction whose instance outlives a scope, and that asks for an instance of the scope.
  ///
  /// - Parameter scope: `nil` for a resolve outside of every scope.
  @inline(__always)
  static func captor(
    beyond scope: ContainerCore?, requestedBy requester: ResolutionContext?
  ) -> Construction? {
    let current = current
    if let captor = current?.captor(beyond: scope) { return captor }
    return requester === current ? nil : requester?.captor(beyond: scope)
  }

  private func captor(beyond scope: ContainerCore?) -> Construction? {
    firstInChain { context in
      // First, without counting references: most constructions belong to the scope asked.
      if let scope, context.keepsGraph(of: scope) { return false }
      guard let container = context.asConstruction?.retainingContainer else { return false }
      // A construction in a scope, a resolve outside of all: the resolve is at fault, no capture.
      guard let scope else { return container.scope == nil }
      if let opener = scope.openedDuring, opener.isNested(in: context) {
        return false
      }
      // A fork of a scope has the inputs of the scope.
      return !container.isWithin(scope) && !container.searched.contains { $0 === scope }
    }?.asConstruction
  }

  /// The container to keep the instance under construction, if `container`, the current one, is a
  /// descendant or fork of that container, not made current by the factory.
  static func owner(around container: ContainerCore) -> ContainerCore? {
    guard
      let construction = current?.firstInChain(where: {
        $0.asConstruction?.retainingContainer != nil
      }),
      let owner = construction.asConstruction?.container, owner !== container,
      container.searched.contains(where: { $0 === owner }),
      choosingCurrent?.isNested(in: construction) != true
    else { return nil }
    return owner
  }
}

extension ResolutionError.Captor {
  /// The location is `nil` if the registration has been replaced.
  init(_ construction: Construction) {
    self.init(
      key: construction.key,
      location: construction.container.registeredSlot(of: construction.key)?.withRegistration {
        $0.serial == construction.serial ? $0.location : nil
      } ?? nil)
  }
}
