// SPDX-License-Identifier: MIT

extension Registration {
  /// Adds an action that runs with a singleton when the container shuts down, or with a scoped
  /// instance when its scope closes.
  ///
  /// ```swift
  /// try container.register(Log.self, scope: .singleton) { _ in try Log.open() }
  ///   .onDispose { $0.flush() }
  /// ```
  ///
  /// Instances are disposed of in the reverse order of their completion, but before the instances
  /// that they are known to resolve later, as by a ``Lazy``. Several actions of a registration run
  /// in the reverse order of their addition. A singleton that was released before, or whose
  /// registration was overridden or removed, does not belong to the container any more: the
  /// container does not dispose of the singleton. A scoped instance, once complete, stays with the
  /// scope: the scope disposes of the instance whatever becomes of the registration.
  ///
  /// For singletons and scoped instances. The container cannot detect the end of instances of any
  /// other scope; a registration in a different scope with a disposer is invalid:
  /// ``RegistrationError/disposalRequiresOwner(key:scope:location:)``.
  ///
  /// - Parameter action: gets the instance. An error of the action is reported; the remaining
  ///   actions run nevertheless. Takes the container's writer lock.
  @discardableResult
  public func onDispose(
    perform action: @escaping @Sendable (Product) throws -> Void
  ) -> Self {
    changed(by: .onDispose(perform: action))
  }

  /// Adds an asynchronous action that runs with a singleton when the container shuts down, or with
  /// a scoped instance when its scope closes.
  ///
  /// Works like the synchronous action. A scope that stores an instance with the action is closed
  /// with `await`.
  @discardableResult
  public func onDispose(
    perform action: @escaping @Sendable (Product) async throws -> Void
  ) -> Self {
    changed(by: .onDispose(perform: action))
  }

  /// Adds an action that depends on the outcome of the work in the scope.
  ///
  /// ```swift
  /// try container.register(Session.self, scope: .scoped) { _ in try Session.begin() }
  ///   .onDispose { session, outcome in
  ///     if case .completed = outcome { try session.commit() } else { session.rollBack() }
  ///   }
  /// ```
  ///
  /// Works like the action without an outcome. Takes the container's writer lock.
  @discardableResult
  public func onDispose(
    perform action: @escaping @Sendable (Product, ScopeOutcome) throws -> Void
  ) -> Self {
    changed(by: .onDispose(perform: action))
  }

  /// Adds an asynchronous action that depends on the outcome of the work in the scope.
  ///
  /// Works like the asynchronous action without an outcome. Takes the container's writer lock.
  @discardableResult
  public func onDispose(
    perform action: @escaping @Sendable (Product, ScopeOutcome) async throws -> Void
  ) -> Self {
    changed(by: .onDispose(perform: action))
  }
}
