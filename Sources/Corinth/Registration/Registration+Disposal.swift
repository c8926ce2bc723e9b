// SPDX-License-Identifier: MIT

extension Registration {
  /// Adds an action that runs with a singleton when the container shuts down, or with a scoped instance when its
  /// scope closes.
  ///
  /// ```swift
  /// try container.register(Log.self, scope: .singleton) { _ in try Log.open() }.onDispose { $0.flush() }
  /// ```
  ///
  /// Instances are disposed of in the reverse order of their completion, but before what they are known to resolve later, as
  /// by a ``Lazy``. Several actions of one registration run
  /// in the reverse order in which they were added. An instance that was released before, or whose registration was
  /// overridden or removed, does not belong to the container any more: it is not disposed of.
  ///
  /// For singletons and scoped instances. The container cannot detect the end of other instances; a registration of
  /// these with a disposer is invalid: ``RegistrationError/disposalRequiresOwner(key:scope:location:)``.
  ///
  /// - Parameter action: gets the instance. Its error is reported; the other actions run nevertheless.
  /// Takes the container's writer lock.
  @discardableResult
  public func onDispose(
    perform action: @escaping @Sendable (Product) throws -> Void
  ) -> Self {
    changed(by: .onDispose(perform: action))
  }

  /// Adds an asynchronous action that runs with a singleton when the container shuts down, or with a scoped
  /// instance when its scope closes.
  ///
  /// As the synchronous one. A scope that stores such an instance is closed with `await`.
  @discardableResult
  public func onDispose(
    perform action: @escaping @Sendable (Product) async throws -> Void
  ) -> Self {
    changed(by: .onDispose(perform: action))
  }

  /// The same for an action that depends on how the work in the scope has ended.
  ///
  /// ```swift
  /// try container.register(Session.self, scope: .scoped) { _ in try Session.begin() }
  ///   .onDispose { session, outcome in
  ///     if case .completed = outcome { try session.commit() } else { session.rollBack() }
  ///   }
  /// ```
  @discardableResult
  public func onDispose(
    perform action: @escaping @Sendable (Product, ScopeOutcome) throws -> Void
  ) -> Self {
    changed(by: .onDispose(perform: action))
  }

  /// The same for an asynchronous action that depends on how the work in the scope has ended.
  @discardableResult
  public func onDispose(
    perform action: @escaping @Sendable (Product, ScopeOutcome) async throws -> Void
  ) -> Self {
    changed(by: .onDispose(perform: action))
  }
}
