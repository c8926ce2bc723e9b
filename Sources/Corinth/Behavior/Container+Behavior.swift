// SPDX-License-Identifier: MIT

extension Container {
  /// Adds a behavior, which receives the events of this container's registrations from now on.
  ///
  /// ```swift
  /// container.add(LoggingBehavior())
  /// ```
  ///
  /// - Parameter behavior: the receiver of the events. The container keeps the behavior, also after
  ///   ``removeAll(where:)``.
  /// - Complexity: O(*n*) in the number of keys ever registered.
  ///
  /// Takes the container's writer lock.
  public func add(_ behavior: some Behavior) {
    registry.add(Observer(behavior))
  }
}

/// Observers of a container and its parents, removable before the end of these containers. The
/// containers keep the observers.
package final class TemporaryObservers: Sendable {
  private let cores: [UncountedReference<ContainerCore>]

  /// - Parameter make: makes the observers from the token of the group.
  init(of container: Container, _ make: (TemporaryObservers) -> [Observer]) {
    let all = Array(container.registry.selfAndAncestors)
    cores = all.map { UncountedReference($0) }
    let observers = make(self)
    for core in all { for observer in observers { core.add(observer) } }
  }

  package convenience init(_ behaviors: [any Behavior], of container: Container) {
    self.init(of: container) { token in behaviors.map { Observer($0, of: token) } }
  }

  /// Removes the observers. From then on, resolves are as fast as before.
  package func remove() {
    for core in cores { core.object?.removeObservers(of: self) }
  }
}

extension Observer {
  fileprivate convenience init(
    _ behavior: some Behavior, of token: (any AnyObject & Sendable)? = nil
  ) {
    let events = behavior.events
    func ifAsked<Call>(_ event: BehaviorEvents, _ call: Call) -> Call? {
      events.contains(event) ? call : nil
    }
    let didResolve: DidResolve = { core, key, box, _ in
      guard let container = core.container else { return }
      behavior.didResolve(key, as: box.product, in: container)
    }
    let didFail: DidFail = { core, key, error, _ in
      guard let container = core.container else { return }
      behavior.didFail(key, with: error, in: container)
    }
    let direct = behavior as? any DirectBehavior
    let didBuild: DidBuild
    if let direct {
      didBuild = { _, key, serial, duration in direct.didBuild(key, serial, in: duration) }
    } else {
      didBuild = { core, key, _, duration in
        guard let container = core.container else { return }
        behavior.didBuild(key, in: duration, container: container)
      }
    }
    let didDispose: DidDispose = { behavior.didDispose($0) }
    let didLeaveUndisposed: DidLeaveUndisposed = { behavior.didLeaveUndisposed($0) }
    let tracing = behavior as? TracingBehavior
    self.init(
      behavior: ReportedBehavior(behavior: behavior, events: events), token: token,
      didResolve: ifAsked(.resolution, didResolve), didFail: ifAsked(.failure, didFail),
      didBuild: ifAsked(.construction, didBuild), measuresTimes: behavior.measuresTimes,
      usesContainer: direct?.usesContainer ?? true,
      didDispose: ifAsked(.disposal, didDispose),
      didLeaveUndisposed: ifAsked(.disposal, didLeaveUndisposed),
      around: tracing?.around, aroundAsync: tracing?.aroundAsync, isInherited: token == nil)
  }
}

/// A behavior as the listener of registrations.
private struct ReportedBehavior<Reported: Behavior>: RegistrationListener {
  let behavior: Reported
  let events: BehaviorEvents

  func didRegister<Product>(_ registration: Registration<Product>) {
    guard events.contains(.registration) else { return }
    behavior.didRegister(
      type: Product.self, to: registration.container, as: registration,
      with: registration.key.name.flatMap(\.plainText))
  }
}

extension Name {
  /// The text of a textual name, without quotes; for any other value, the value's description. An
  /// element of a collection has the name given to the contribution, if any.
  fileprivate var plainText: String? {
    if let contribution { return contribution.name.flatMap(\.plainText) }
    return text.isEmpty ? description : text
  }
}
