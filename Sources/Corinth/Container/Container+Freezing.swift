// SPDX-License-Identifier: MIT

extension Container {
  /// Refuses changes of the registrations from now on.
  ///
  /// ```swift
  /// try application.apply(assemblies: [Storage(), Mail()])
  /// try container.freeze()
  /// ```
  ///
  /// Registering, overriding and decorating then throw ``RegistrationError/containerFrozen(key:location:)``; modifiers and
  /// removals do nothing. Instances are built, stored, released and disposed of as before. Children, scopes and forks are
  /// not frozen. A container that is never to change again is built by a ``ContainerBuilder``, and resolves faster.
  ///
  /// - Throws: ``RegistrationError/invalidRegistrations(_:)``, if modifiers of registrations contradict each other; it is not frozen then.
  /// - Complexity: O(*n*) in the number of keys ever registered.
  ///
  /// Takes the container's writer lock.
  public func freeze() throws {
    try registry.refuseFaults()
    registry.freeze(.frozen)
  }

  /// Allows changes of the registrations again.
  ///
  /// - Returns: whether they are allowed: not in a container that a ``ContainerBuilder`` has built.
  ///
  /// Takes the container's writer lock.
  @discardableResult
  public func thaw() -> Bool {
    registry.freeze(.thawed)
  }

  /// Whether changes of the registrations are refused.
  ///
  /// Wait-free.
  public var isFrozen: Bool { registry.isFrozen }
}

extension ContainerCore {
  func refuseFaults() throws {
    let faults = faults
    if !faults.isEmpty { throw RegistrationError.invalidRegistrations(faults) }
  }
}
