// SPDX-License-Identifier: MIT

/// See Container+Wiring.swift.
extension Container {
  /// Adds an element that an asynchronous initialiser builds: ``wireContribution(to:name:scope:with:using:file:line:)``.
  ///
  /// ```swift
  /// try container.wireContributionAsync(to: (any HealthCheck).self, using: PoolCheck.connect(to:))
  /// ```
  ///
  /// The parameters are resolved one after the other, asynchronous registrations too.
  ///
  /// - Throws: ``RegistrationError``.
  ///
  /// Takes the container's writer lock.
  @inlinable @discardableResult
  public func wireContributionAsync<Element>(
    to element: Element.Type, name: Name? = nil, scope: Scope<Element>? = nil,
    with hooks: Hooks<Element>? = nil,
    using initialiser: @autoclosure () -> (@Sendable () async throws -> Element),
    file: StaticString = #fileID, line: UInt = #line
  ) throws -> Registration<Element> {
    let initialiser = initialiser()
    return try contributeAsyncWired(element, name, scope, hooks, file, line, ParameterTypes()) {
      _ in
      try await initialiser()
    }
  }

  @_documentation(visibility: internal)
  @inlinable @discardableResult
  public func wireContributionAsync<Element, P1>(
    to element: Element.Type, name: Name? = nil, scope: Scope<Element>? = nil,
    with hooks: Hooks<Element>? = nil,
    using initialiser: @autoclosure () -> (@Sendable (P1) async throws -> Element),
    file: StaticString = #fileID, line: UInt = #line
  ) throws -> Registration<Element> {
    let initialiser = initialiser()
    return try contributeAsyncWired(
      element, name, scope, hooks, file, line, ParameterTypes().adding(P1.self)
    ) { r in
      try await initialiser(r.parameterAsync())
    }
  }

  @_documentation(visibility: internal)
  @inlinable @discardableResult
  public func wireContributionAsync<Element, P1, P2>(
    to element: Element.Type, name: Name? = nil, scope: Scope<Element>? = nil,
    with hooks: Hooks<Element>? = nil,
    using initialiser: @autoclosure () -> (@Sendable (P1, P2) async throws -> Element),
    file: StaticString = #fileID, line: UInt = #line
  ) throws -> Registration<Element> {
    let initialiser = initialiser()
    return try contributeAsyncWired(
      element, name, scope, hooks, file, line, ParameterTypes().adding(P1.self).adding(P2.self)
    ) { r in
      try await initialiser(r.parameterAsync(), r.parameterAsync())
    }
  }

  @_documentation(visibility: internal)
  @inlinable @discardableResult
  public func wireContributionAsync<Element, P1, P2, P3>(
    to element: Element.Type, name: Name? = nil, scope: Scope<Element>? = nil,
    with hooks: Hooks<Element>? = nil,
    using initialiser: @autoclosure () -> (@Sendable (P1, P2, P3) async throws -> Element),
    file: StaticString = #fileID, line: UInt = #line
  ) throws -> Registration<Element> {
    let initialiser = initialiser()
    return try contributeAsyncWired(
      element, name, scope, hooks, file, line,
      ParameterTypes().adding(P1.self).adding(P2.self).adding(P3.self)
    ) { r in
      try await initialiser(r.parameterAsync(), r.parameterAsync(), r.parameterAsync())
    }
  }

  @_documentation(visibility: internal)
  @inlinable @discardableResult
  public func wireContributionAsync<Element, P1, P2, P3, P4>(
    to element: Element.Type, name: Name? = nil, scope: Scope<Element>? = nil,
    with hooks: Hooks<Element>? = nil,
    using initialiser: @autoclosure () -> (@Sendable (P1, P2, P3, P4) async throws -> Element),
    file: StaticString = #fileID, line: UInt = #line
  ) throws -> Registration<Element> {
    let initialiser = initialiser()
    return try contributeAsyncWired(
      element, name, scope, hooks, file, line,
      ParameterTypes().adding(P1.self).adding(P2.self).adding(P3.self).adding(P4.self)
    ) { r in
      try await initialiser(
        r.parameterAsync(), r.parameterAsync(), r.parameterAsync(), r.parameterAsync())
    }
  }

  @_documentation(visibility: internal)
  @inlinable @discardableResult
  public func wireContributionAsync<Element, P1, P2, P3, P4, P5>(
    to element: Element.Type, name: Name? = nil, scope: Scope<Element>? = nil,
    with hooks: Hooks<Element>? = nil,
    using initialiser: @autoclosure () -> (@Sendable (P1, P2, P3, P4, P5) async throws -> Element),
    file: StaticString = #fileID, line: UInt = #line
  ) throws -> Registration<Element> {
    let initialiser = initialiser()
    return try contributeAsyncWired(
      element, name, scope, hooks, file, line,
      ParameterTypes().adding(P1.self).adding(P2.self).adding(P3.self).adding(P4.self).adding(
        P5.self)
    ) { r in
      try await initialiser(
        r.parameterAsync(), r.parameterAsync(), r.parameterAsync(), r.parameterAsync(),
        r.parameterAsync())
    }
  }

  @_documentation(visibility: internal)
  @inlinable @discardableResult
  public func wireContributionAsync<Element, P1, P2, P3, P4, P5, P6>(
    to element: Element.Type, name: Name? = nil, scope: Scope<Element>? = nil,
    with hooks: Hooks<Element>? = nil,
    using initialiser:
      @autoclosure () -> (@Sendable (P1, P2, P3, P4, P5, P6) async throws -> Element),
    file: StaticString = #fileID, line: UInt = #line
  ) throws -> Registration<Element> {
    let initialiser = initialiser()
    return try contributeAsyncWired(
      element, name, scope, hooks, file, line,
      ParameterTypes().adding(P1.self).adding(P2.self).adding(P3.self).adding(P4.self).adding(
        P5.self
      ).adding(P6.self)
    ) { r in
      try await initialiser(
        r.parameterAsync(), r.parameterAsync(), r.parameterAsync(), r.parameterAsync(),
        r.parameterAsync(), r.parameterAsync())
    }
  }

  @_documentation(visibility: internal)
  @inlinable @discardableResult
  public func wireContributionAsync<Element, P1, P2, P3, P4, P5, P6, P7>(
    to element: Element.Type, name: Name? = nil, scope: Scope<Element>? = nil,
    with hooks: Hooks<Element>? = nil,
    using initialiser:
      @autoclosure () -> (@Sendable (P1, P2, P3, P4, P5, P6, P7) async throws -> Element),
    file: StaticString = #fileID, line: UInt = #line
  ) throws -> Registration<Element> {
    let initialiser = initialiser()
    return try contributeAsyncWired(
      element, name, scope, hooks, file, line,
      ParameterTypes().adding(P1.self).adding(P2.self).adding(P3.self).adding(P4.self).adding(
        P5.self
      ).adding(P6.self).adding(P7.self)
    ) { r in
      try await initialiser(
        r.parameterAsync(), r.parameterAsync(), r.parameterAsync(), r.parameterAsync(),
        r.parameterAsync(), r.parameterAsync(), r.parameterAsync())
    }
  }

  @_documentation(visibility: internal)
  @inlinable @discardableResult
  public func wireContributionAsync<Element, P1, P2, P3, P4, P5, P6, P7, P8>(
    to element: Element.Type, name: Name? = nil, scope: Scope<Element>? = nil,
    with hooks: Hooks<Element>? = nil,
    using initialiser:
      @autoclosure () -> (@Sendable (P1, P2, P3, P4, P5, P6, P7, P8) async throws -> Element),
    file: StaticString = #fileID, line: UInt = #line
  ) throws -> Registration<Element> {
    let initialiser = initialiser()
    return try contributeAsyncWired(
      element, name, scope, hooks, file, line,
      ParameterTypes().adding(P1.self).adding(P2.self).adding(P3.self).adding(P4.self).adding(
        P5.self
      ).adding(P6.self).adding(P7.self).adding(P8.self)
    ) { r in
      try await initialiser(
        r.parameterAsync(), r.parameterAsync(), r.parameterAsync(), r.parameterAsync(),
        r.parameterAsync(), r.parameterAsync(), r.parameterAsync(), r.parameterAsync())
    }
  }

  @_documentation(visibility: internal)
  @inlinable @discardableResult
  public func wireContributionAsync<Element, P1, P2, P3, P4, P5, P6, P7, P8, P9>(
    to element: Element.Type, name: Name? = nil, scope: Scope<Element>? = nil,
    with hooks: Hooks<Element>? = nil,
    using initialiser:
      @autoclosure () -> (@Sendable (P1, P2, P3, P4, P5, P6, P7, P8, P9) async throws -> Element),
    file: StaticString = #fileID, line: UInt = #line
  ) throws -> Registration<Element> {
    let initialiser = initialiser()
    return try contributeAsyncWired(
      element, name, scope, hooks, file, line,
      ParameterTypes().adding(P1.self).adding(P2.self).adding(P3.self).adding(P4.self).adding(
        P5.self
      ).adding(P6.self).adding(P7.self).adding(P8.self).adding(P9.self)
    ) { r in
      try await initialiser(
        r.parameterAsync(), r.parameterAsync(), r.parameterAsync(), r.parameterAsync(),
        r.parameterAsync(), r.parameterAsync(), r.parameterAsync(), r.parameterAsync(),
        r.parameterAsync())
    }
  }

  @_documentation(visibility: internal)
  @inlinable @discardableResult
  public func wireContributionAsync<Element, P1, P2, P3, P4, P5, P6, P7, P8, P9, P10>(
    to element: Element.Type, name: Name? = nil, scope: Scope<Element>? = nil,
    with hooks: Hooks<Element>? = nil,
    using initialiser:
      @autoclosure () -> (
        @Sendable (P1, P2, P3, P4, P5, P6, P7, P8, P9, P10) async throws -> Element
      ),
    file: StaticString = #fileID, line: UInt = #line
  ) throws -> Registration<Element> {
    let initialiser = initialiser()
    return try contributeAsyncWired(
      element, name, scope, hooks, file, line,
      ParameterTypes().adding(P1.self).adding(P2.self).adding(P3.self).adding(P4.self).adding(
        P5.self
      ).adding(P6.self).adding(P7.self).adding(P8.self).adding(P9.self).adding(P10.self)
    ) { r in
      try await initialiser(
        r.parameterAsync(), r.parameterAsync(), r.parameterAsync(), r.parameterAsync(),
        r.parameterAsync(), r.parameterAsync(), r.parameterAsync(), r.parameterAsync(),
        r.parameterAsync(), r.parameterAsync())
    }
  }

  @_documentation(visibility: internal)
  @inlinable @discardableResult
  public func wireContributionAsync<Element, P1, P2, P3, P4, P5, P6, P7, P8, P9, P10, P11>(
    to element: Element.Type, name: Name? = nil, scope: Scope<Element>? = nil,
    with hooks: Hooks<Element>? = nil,
    using initialiser:
      @autoclosure () -> (
        @Sendable (P1, P2, P3, P4, P5, P6, P7, P8, P9, P10, P11) async throws -> Element
      ),
    file: StaticString = #fileID, line: UInt = #line
  ) throws -> Registration<Element> {
    let initialiser = initialiser()
    return try contributeAsyncWired(
      element, name, scope, hooks, file, line,
      ParameterTypes().adding(P1.self).adding(P2.self).adding(P3.self).adding(P4.self).adding(
        P5.self
      ).adding(P6.self).adding(P7.self).adding(P8.self).adding(P9.self).adding(P10.self).adding(
        P11.self)
    ) { r in
      try await initialiser(
        r.parameterAsync(), r.parameterAsync(), r.parameterAsync(), r.parameterAsync(),
        r.parameterAsync(), r.parameterAsync(), r.parameterAsync(), r.parameterAsync(),
        r.parameterAsync(), r.parameterAsync(), r.parameterAsync())
    }
  }

  @_documentation(visibility: internal)
  @inlinable @discardableResult
  public func wireContributionAsync<Element, P1, P2, P3, P4, P5, P6, P7, P8, P9, P10, P11, P12>(
    to element: Element.Type, name: Name? = nil, scope: Scope<Element>? = nil,
    with hooks: Hooks<Element>? = nil,
    using initialiser:
      @autoclosure () -> (
        @Sendable (P1, P2, P3, P4, P5, P6, P7, P8, P9, P10, P11, P12) async throws -> Element
      ),
    file: StaticString = #fileID, line: UInt = #line
  ) throws -> Registration<Element> {
    let initialiser = initialiser()
    return try contributeAsyncWired(
      element, name, scope, hooks, file, line,
      ParameterTypes().adding(P1.self).adding(P2.self).adding(P3.self).adding(P4.self).adding(
        P5.self
      ).adding(P6.self).adding(P7.self).adding(P8.self).adding(P9.self).adding(P10.self).adding(
        P11.self
      ).adding(P12.self)
    ) { r in
      try await initialiser(
        r.parameterAsync(), r.parameterAsync(), r.parameterAsync(), r.parameterAsync(),
        r.parameterAsync(), r.parameterAsync(), r.parameterAsync(), r.parameterAsync(),
        r.parameterAsync(), r.parameterAsync(), r.parameterAsync(), r.parameterAsync())
    }
  }
}
