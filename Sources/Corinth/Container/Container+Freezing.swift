// SPDX-License-Identifier: MIT

extension Container {
  /// Refuses changes of the registrations from now on, for good.
  ///
  /// ```swift
  /// try application.apply(assemblies: [Storage(), Mail()])
  /// try container.freeze()
  /// ```
  ///
  /// Registering, overriding and decorating then throw
  /// ``RegistrationError/containerFrozen(key:location:)``; modifiers and removals do nothing.
  /// Instances are built, stored, released and disposed of as before. Children, scopes and forks
  /// are not frozen: make later changes there. Resolves take as long as before.
  ///
  /// - Throws: ``RegistrationError/invalidRegistrations(_:)``, if modifiers of registrations
  ///   contradict each other; the container is then not frozen.
  /// - Complexity: O(*n*) in the number of keys ever registered.
  ///
  /// Takes the container's writer lock.
  public func freeze() throws {
    try registry.refuseFaults()
    registry.setFrozen(true)
  }

  /// Allows changes of the registrations again: for a compatibility module whose library does.
  ///
  /// Takes the container's writer lock.
  package func thaw() {
    registry.setFrozen(false)
  }

  /// Whether changes of the registrations are refused.
  ///
  /// Wait-free.
  public var isFrozen: Bool { registry.isFrozen }
}
