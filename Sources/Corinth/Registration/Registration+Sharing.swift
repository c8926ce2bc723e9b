// SPDX-License-Identifier: MIT

/// The scopes whose instances go to every thread.
extension Registration where Product: Sendable {
  /// Shares one instance, built once by the first resolve: ``Scope/singleton``.
  ///
  /// Takes the container's writer lock.
  @discardableResult
  public func asSingleton() -> Self {
    self.as(.singleton)
  }

  /// Shares an instance for as long as it is in use elsewhere: ``Scope/weak``.
  ///
  /// Takes the container's writer lock.
  @discardableResult
  public func asWeak() -> Self {
    self.as(.weak)
  }

  /// Shares an instance within each request scope: ``Scope/scoped``.
  ///
  /// Takes the container's writer lock.
  @discardableResult
  public func asScoped() -> Self {
    self.as(.scoped)
  }

  /// Shares an instance for some time, then another: ``Scope/cached(for:whileRefreshing:)``.
  ///
  /// Takes the container's writer lock.
  @discardableResult
  public func asCached(
    for lifetime: Duration, whileRefreshing: StalePolicy = .wait
  ) -> Self {
    self.as(.cached(for: lifetime, whileRefreshing: whileRefreshing))
  }
}

extension Registration {
  /// ``asSingleton()``, of a product that is not `Sendable`.
  ///
  /// Takes the container's writer lock.
  @discardableResult
  public func asUncheckedSingleton() -> Self {
    self.as(.uncheckedSingleton)
  }

  /// ``asWeak()``, of a product that is not `Sendable`.
  ///
  /// Takes the container's writer lock.
  @discardableResult
  public func asUncheckedWeak() -> Self {
    self.as(.uncheckedWeak)
  }

  /// ``asScoped()``, of a product that is not `Sendable`.
  ///
  /// Takes the container's writer lock.
  @discardableResult
  public func asUncheckedScoped() -> Self {
    self.as(.uncheckedScoped)
  }

  /// ``asCached(for:whileRefreshing:)``, of a product that is not `Sendable`.
  ///
  /// Takes the container's writer lock.
  @discardableResult
  public func asUncheckedCached(
    for lifetime: Duration, whileRefreshing: StalePolicy = .wait
  ) -> Self {
    self.as(.uncheckedCached(for: lifetime, whileRefreshing: whileRefreshing))
  }
}

/// The same for any product; see ``Scope``. Not disfavoured, as there.
extension Registration {
  @_documentation(visibility: internal)
  @available(
    *, deprecated,
    message:
      "every thread gets this instance, and its type is not Sendable: make it Sendable, or say asUncheckedSingleton()"
  )
  @discardableResult
  public func asSingleton() -> Self {
    self.as(.uncheckedSingleton)
  }

  @_documentation(visibility: internal)
  @available(
    *, deprecated,
    message:
      "every thread gets this instance, and its type is not Sendable: make it Sendable, or say asUncheckedWeak()"
  )
  @discardableResult
  public func asWeak() -> Self {
    self.as(.uncheckedWeak)
  }

  @_documentation(visibility: internal)
  @available(
    *, deprecated,
    message:
      "every thread of the scope gets this instance, and its type is not Sendable: make it Sendable, or say asUncheckedScoped()"
  )
  @discardableResult
  public func asScoped() -> Self {
    self.as(.uncheckedScoped)
  }

  @_documentation(visibility: internal)
  @available(
    *, deprecated,
    message:
      "every thread gets this instance, and its type is not Sendable: make it Sendable, or say asUncheckedCached"
  )
  @discardableResult
  public func asCached(
    for lifetime: Duration, whileRefreshing: StalePolicy = .wait
  ) -> Self {
    self.as(.uncheckedCached(for: lifetime, whileRefreshing: whileRefreshing))
  }
}
