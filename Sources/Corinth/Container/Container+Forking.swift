// SPDX-License-Identifier: MIT

extension Container {
  /// Makes a copy of this container that shares the registrations and values, and has instances of
  /// its own.
  ///
  /// ```swift
  /// let test = try application.fork { container in
  ///   try container.register(Mailer.self, onDuplicate: .require) { _ in RecordingMailer() }
  /// }
  /// let service = try test.resolve(Service.self)
  /// ```
  ///
  /// An override in the fork also reaches the fork's singletons, unlike a child's registrations:
  /// the fork builds every instance anew, with its own registrations as dependencies. So a fork is
  /// the container for a test, or for a tenant.
  ///
  /// The fork may register any key of this container again, under any ``DuplicatePolicy`` of the
  /// registration here.
  ///
  /// The fork sees the present registrations, decorators and behaviors of this container and its
  /// ancestors, and no later additions. Instances stored by a ``CustomStorage`` of yours are
  /// shared, as are values. A value is disposed of with this container only. A value with
  /// `afterInit` actions is disposed of with every container that has run the actions.
  ///
  /// The fork keeps this container alive, and needs this container open for keys that the fork has
  /// not resolved before. The fork and this container are shut down separately.
  ///
  /// A fork of a request scope is a request scope.
  ///
  /// - Parameters:
  ///   - file: the file of the call, for messages.
  ///   - line: the line of the call.
  ///   - configure: makes the differing registrations.
  /// - Returns: the fork.
  /// - Throws: the error of `configure`.
  /// - Complexity: O(*n*) in the number of ancestors, plus the time of `configure`. A registration
  ///   is copied when the fork first resolves the key.
  ///
  /// Takes the writer locks of this container and its ancestors, together and for a moment: the
  /// fork has the registrations of a single moment. A registration that is overridden or removed
  /// here later is kept, without the instance, as long as a fork sees the registration.
  public func fork(
    file: StaticString = #fileID, line: UInt = #line, _ configure: (Container) throws -> Void
  ) rethrows -> Container {
    let fork = fork(file: file, line: line)
    try configure(fork)
    return fork
  }

  /// ``fork(file:line:_:)``, without differing registrations.
  ///
  /// Takes the writer locks of this container and its ancestors, together and for a moment.
  public func fork(file: StaticString = #fileID, line: UInt = #line) -> Container {
    Container(forkOf: self, at: SourceLocation(file: file, line: line))
  }

  /// Makes a fork copy all registrations of the base now, instead of at the first resolve of every
  /// key.
  ///
  /// ```swift
  /// let snapshot = container.fork()
  /// snapshot.detach()
  /// ```
  ///
  /// The fork no longer needs the base to be open, and detects missing keys faster; the fork still
  /// keeps the base alive. No effect on a container that is not a fork.
  ///
  /// - Complexity: O(*n*) in the number of keys ever registered in the base and its ancestors.
  ///
  /// Takes the container's writer lock, for a moment per registration, and once the writer locks of
  /// the base and its ancestors.
  package func detach() {
    registry.detachFromBase()
  }
}
