// SPDX-License-Identifier: MIT

extension Container {
  /// Makes a copy of this container that shares its registrations and values, and has instances of its own.
  ///
  /// ```swift
  /// let test = try application.fork { container in
  ///   try container.register(Mailer.self, onDuplicate: .require) { _ in RecordingMailer() }
  /// }
  /// let service = try test.resolve(Service.self)
  /// ```
  ///
  /// An override in it reaches its singletons too, which a child's registrations do not: the fork builds every instance
  /// anew, with its own registrations as dependencies. That makes it the container for a test, or for a tenant.
  ///
  /// It may register any key of this container again, whatever the ``DuplicatePolicy`` of the registration here.
  ///
  /// The fork sees the registrations, decorators and behaviours that this container and its ancestors have now, and none
  /// that come later. The instances that an ``Instance`` of yours stores are shared, as are values. A value is
  /// disposed of with this container only. One with `afterInit` actions is disposed of with each container that has run
  /// them.
  ///
  /// The fork keeps this container alive, and needs it open for keys that it has not resolved before. Each of the two is
  /// shut down on its own.
  ///
  /// A fork of a request scope is one itself.
  ///
  /// - Parameter configure: makes the registrations that differ.
  /// - Returns: the fork.
  /// - Throws: the error of `configure`.
  /// - Complexity: O(*n*) in the number of ancestors, and that of `configure`. A registration is copied when its key is
  ///   first resolved in the fork.
  ///
  /// Takes the writer locks of this container and its ancestors, together and for a moment: the fork has their
  /// registrations of one moment. A registration that is overridden or removed here later is kept, without its
  /// instance, as long as a fork sees it.
  public func fork(_ configure: (Container) throws -> Void) rethrows -> Container {
    let fork = fork()
    try configure(fork)
    return fork
  }

  /// ``fork(_:)``, without registrations that differ.
  public func fork() -> Container {
    Container(forkOf: self)
  }

  /// Makes a fork copy all registrations of its base now, instead of each when its key is first resolved.
  ///
  /// ```swift
  /// let snapshot = container.fork()
  /// snapshot.detach()
  /// ```
  ///
  /// The fork no longer needs its base to be open, and detects missing keys faster; it still keeps the base alive.
  /// No effect on a container that is not a fork.
  ///
  /// - Complexity: O(*n*) in the number of keys ever registered in the base and its ancestors.
  ///
  /// Takes the container's writer lock, for a moment for each registration, and once those of the base and its ancestors.
  package func detach() {
    registry.detachFromBase()
  }
}
