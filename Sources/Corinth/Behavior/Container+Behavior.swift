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
    registry.add(observer(for: behavior))
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
    self.init(of: container) { token in behaviors.map { observer(for: $0, token) } }
  }

  /// Removes the observers. From then on, resolves are as fast as before.
  package func remove() {
    for core in cores { core.object?.removeObservers(of: self) }
  }
}

/// The observer for a behavior.
// SAFETY: see the superclass.
private class BehaviorObserver<Reported: Behavior>: Observer, @unchecked Sendable {
  fileprivate final let reported: Reported

  init(_ behavior: Reported, of token: (any AnyObject & Sendable)?) {
    reported = behavior
    let events = behavior.events
    let didResolve: DidResolve = { core, key, box, _ in
      guard let container = core.container else { return }
      behavior.didResolve(key, as: box.product, in: container)
    }
    let didFail: DidFail = { core, key, error, _ in
      guard let container = core.container else { return }
      behavior.didFail(key, with: error, in: container)
    }
    let didLeaveUndisposed: DidLeaveUndisposed = { behavior.didLeaveUndisposed($0) }
    let tracing = behavior as? TracingBehavior
    super.init(
      behavior: ReportedBehavior(behavior: behavior, events: events), token: token,
      didResolve: events.contains(.resolution) ? didResolve : nil,
      didFail: events.contains(.failure) ? didFail : nil,
      hearsOfConstructions: events.contains(.construction),
      measuresTimes: behavior.measuresTimes, isDirect: behavior is any DirectBehavior,
      hearsOfDisposals: events.contains(.disposal),
      didLeaveUndisposed: events.contains(.disposal) ? didLeaveUndisposed : nil,
      around: tracing?.around, aroundAsync: tracing?.aroundAsync, isInherited: token == nil)
  }

  override func didBuild(_ record: RegistrationRecord, _ nanoseconds: UInt64) {
    guard let container = record.owner.container else { return }
    reported.didBuild(record.key, in: Duration(nanoseconds), container: container)
  }

  override final func didDispose(of key: RegistrationKey) { reported.didDispose(key) }
}

/// As the superclass, without a container and a key that nobody reads.
// SAFETY: as the superclass, without properties of its own.
private final class DirectObserver<Reported: DirectBehavior>:
  BehaviorObserver<Reported>, @unchecked Sendable
{
  override func didBuild(_ record: RegistrationRecord, _ nanoseconds: UInt64) {
    reported.didBuild(record, nanoseconds)
  }
}

extension DirectBehavior {
  fileprivate func observer(_ token: (any AnyObject & Sendable)?) -> Observer {
    DirectObserver(self, of: token)
  }
}

/// The observer for a behavior, removable with a token.
private func observer(
  for behavior: some Behavior, _ token: (any AnyObject & Sendable)? = nil
) -> Observer {
  (behavior as? any DirectBehavior)?.observer(token) ?? BehaviorObserver(behavior, of: token)
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
