// SPDX-License-Identifier: MIT

extension RegistrationOptions {
  /// Adds an action that runs with a singleton when the container shuts down, or with a scoped
  /// instance when its scope closes: ``Registration/onDispose(perform:)-35bt7``.
  ///
  /// ```swift
  /// try container.register(Log.self, scope: .singleton, with: .onDispose { $0.flush() }) { _ in
  ///   try Log.open()
  /// }
  /// ```
  ///
  /// Several actions of a registration run in the reverse order of the chain.
  ///
  /// - Parameter action: gets the instance. An error of the action is reported; the remaining
  ///   actions run nevertheless.
  public func onDispose(perform action: @escaping @Sendable (Product) throws -> Void) -> Self {
    // SAFETY: the disposers of a registration get instances of its product, by their addresses, as
    // a function gets parameters of a generic type. To load an instance would count the reference.
    let action = unsafe unsafeBitCast(OfInstance(action: action), to: OfAddress.self).action
    return unsafe adding(.synchronous { product, _ in unsafe try action(product) })
  }

  /// Adds an asynchronous action. A scope that stores an instance with the action is closed with
  /// `await`.
  ///
  /// ```swift
  /// try container.register(
  ///   Pool.self, scope: .singleton, with: .onDispose { await $0.stop() }
  /// ) { _ in Pool() }
  /// ```
  public func onDispose(
    perform action: @escaping @Sendable (Product) async throws -> Void
  ) -> Self {
    adding(.asynchronous { box, _ in try await action(box.instance(of: Product.self)) })
  }

  /// Adds an action that gets the outcome of the work in the scope too.
  ///
  /// Works like the action without an outcome: runs at the shutdown, or when the scope closes.
  public func onDispose(
    perform action: @escaping @Sendable (Product, ScopeOutcome) throws -> Void
  ) -> Self {
    // SAFETY: as above.
    unsafe adding(
      .synchronous { product, outcome in
        unsafe try action(product.load(as: Product.self), outcome)
      })
  }

  /// Adds an asynchronous action that gets the outcome of the work in the scope too.
  ///
  /// Works like the asynchronous action without an outcome: a scope that stores an instance with
  /// the action is closed with `await`.
  public func onDispose(
    perform action: @escaping @Sendable (Product, ScopeOutcome) async throws -> Void
  ) -> Self {
    adding(
      .asynchronous { box, outcome in
        try await action(box.instance(of: Product.self), outcome)
      })
  }
}

/// The members that begin a chain.
extension RegistrationOptions {
  /// An action that runs with a singleton when the container shuts down, or with a scoped instance
  /// when its scope closes.
  public static func onDispose(
    perform action: @escaping @Sendable (Product) throws -> Void
  ) -> Self { Self().onDispose(perform: action) }

  /// An asynchronous action that runs with a singleton when the container shuts down, or with a
  /// scoped instance when its scope closes.
  public static func onDispose(
    perform action: @escaping @Sendable (Product) async throws -> Void
  ) -> Self { Self().onDispose(perform: action) }

  /// An action that depends on the outcome of the work in the scope.
  public static func onDispose(
    perform action: @escaping @Sendable (Product, ScopeOutcome) throws -> Void
  ) -> Self { Self().onDispose(perform: action) }

  /// An asynchronous action that depends on the outcome of the work in the scope.
  public static func onDispose(
    perform action: @escaping @Sendable (Product, ScopeOutcome) async throws -> Void
  ) -> Self { Self().onDispose(perform: action) }
}

private struct OfInstance<Product> {
  let action: @Sendable (Product) throws -> Void
}

@safe
private struct OfAddress {
  let action: @Sendable (UnsafeRawPointer) throws -> Void
}
