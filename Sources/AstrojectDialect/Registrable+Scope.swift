// SPDX-License-Identifier: MIT

/// The scopes whose instances go to every thread.
extension Registrable where Product: Sendable {
  /// Shares a single instance, which the first resolve builds: `Scope.singleton`.
  ///
  /// Takes the container's writer lock.
  @discardableResult
  public func asSingleton() -> Self {
    self.as(.singleton)
  }

  /// Shares an instance for as long as the instance is in use elsewhere: `Scope.weak`.
  ///
  /// Takes the container's writer lock.
  @discardableResult
  public func asWeak() -> Self {
    self.as(.weak)
  }

  /// Shares an instance within every request scope: `Scope.scoped`.
  ///
  /// Takes the container's writer lock.
  @discardableResult
  public func asScoped() -> Self {
    self.as(.scoped)
  }

  /// Shares an instance for some time, then the next instance:
  /// `Scope.cached(for:whileRefreshing:)`.
  ///
  /// Takes the container's writer lock.
  @discardableResult
  public func asCached(
    for lifetime: Duration, whileRefreshing: StalePolicy = .wait
  ) -> Self {
    self.as(.cached(for: lifetime, whileRefreshing: whileRefreshing))
  }
}

extension Registrable {
  /// Builds a new instance for every resolve, as `Scope.transient` does.
  ///
  /// Takes the container's writer lock.
  @discardableResult
  public func asPrototype() -> Self {
    self.as(.transient)
  }

  /// Shares an instance within every resolution: `Scope.graph`.
  ///
  /// Takes the container's writer lock.
  @discardableResult
  public func asGraph() -> Self {
    self.as(.graph)
  }

  /// Shares instances of a product that need not be `Sendable`: `Scope.unchecked(_:)`.
  ///
  /// ```swift
  /// try container.register(Cache.self) { _ in Cache() }.asUnchecked(.singleton)
  /// ```
  ///
  /// Takes the container's writer lock.
  @discardableResult
  public func asUnchecked(_ scope: AnyScope) -> Self { self.as(.unchecked(scope)) }
}

/// The scopes above for any product; see `Scope`. Not disfavored, as in `Scope`.
extension Registrable {
  @_documentation(visibility: internal)
  @available(
    *, deprecated,
    message:
      "only for a type that is not Sendable, as this one: every thread gets the instance. Make the type Sendable, or say asUnchecked(.singleton)"
  )
  @discardableResult
  public func asSingleton() -> Self {
    self.as(.unchecked(.singleton))
  }

  @_documentation(visibility: internal)
  @available(
    *, deprecated,
    message:
      "only for a type that is not Sendable, as this one: every thread gets the instance. Make the type Sendable, or say asUnchecked(.weak)"
  )
  @discardableResult
  public func asWeak() -> Self {
    self.as(.unchecked(.weak))
  }

  @_documentation(visibility: internal)
  @available(
    *, deprecated,
    message:
      "only for a type that is not Sendable, as this one: every thread of the scope gets the instance. Make the type Sendable, or say asUnchecked(.scoped)"
  )
  @discardableResult
  public func asScoped() -> Self {
    self.as(.unchecked(.scoped))
  }

  @_documentation(visibility: internal)
  @available(
    *, deprecated,
    message:
      "only for a type that is not Sendable, as this one: every thread gets the instance. Make the type Sendable, or say asUnchecked(.cached(for:))"
  )
  @discardableResult
  public func asCached(
    for lifetime: Duration, whileRefreshing: StalePolicy = .wait
  ) -> Self {
    self.as(.unchecked(.cached(for: lifetime, whileRefreshing: whileRefreshing)))
  }
}
