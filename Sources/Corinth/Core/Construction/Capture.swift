// SPDX-License-Identifier: MIT

/// Captive dependencies: the search for a construction whose instance would keep an instance of a
/// request scope beyond the scope.
extension ResolutionContext {
  /// Whether a resolve is inside nothing that may outlive the scope: outside of all contexts, or
  /// inside an instance of the scope, which was allowed and may ask for further instances.
  @inline(__always)
  static func mayAsk(
    _ scope: ContainerCore, _ section: Section, within context: ResolutionContext?
  ) -> Bool {
    guard section.isRunning(context) else { return false }
    return unsafe context?.isPart(ofScope: scope) ?? (unretainedInTask == nil)
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
  @inline(never)
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
