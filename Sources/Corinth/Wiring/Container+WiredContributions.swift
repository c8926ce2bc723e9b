// SPDX-License-Identifier: MIT

/// See Container+Wiring.swift.
extension Container {
  /// Adds an element to the collection of a type, built by an initialiser whose parameters are resolved by their types: up to
  /// twelve.
  ///
  /// ```swift
  /// try container.wireContribution(to: (any HealthCheck).self, using: MailCheck.init)
  /// ```
  ///
  /// As ``contribute(to:name:scope:with:file:line:factory:)``. The parameters resolve as those of
  /// ``wire(_:name:scope:overridable:with:using:file:line:)`` do, and ``Container/validate(roots:inputs:strictly:)`` checks
  /// them.
  ///
  /// - Parameters:
  ///   - element: the type of the collection's elements.
  ///   - name: lets a later contribution with this name take the place of this one, here or in a child.
  ///   - scope: which resolves share the element; the container's ``defaultScope`` when left out.
  ///   - hooks: actions and the like, which each instance has from the first on; see ``Hooks``.
  ///   - initialiser: builds an element from its dependencies. It may throw.
  ///   - file: the file that messages name; the caller's when left out.
  ///   - line: the line that messages name; the caller's when left out.
  /// - Returns: the registration, for modifiers such as ``Registration/eager()``.
  /// - Throws: ``RegistrationError``.
  /// - Complexity: O(1) amortised.
  ///
  /// Takes the container's writer lock.
  @inlinable @discardableResult
  public func wireContribution<Element>(
    to element: Element.Type, name: Name? = nil, scope: Scope<Element>? = nil,
    with hooks: Hooks<Element>? = nil,
    using initialiser: @autoclosure () -> (@Sendable () throws -> Element),
    file: StaticString = #fileID, line: UInt = #line
  ) throws -> Registration<Element> {
    let initialiser = initialiser()
    return try contributeWired(element, name, scope, hooks, file, line, ParameterTypes()) { _ in
      try initialiser()
    }
  }

  @_documentation(visibility: internal)
  @inlinable @discardableResult
  public func wireContribution<Element, P1>(
    to element: Element.Type, name: Name? = nil, scope: Scope<Element>? = nil,
    with hooks: Hooks<Element>? = nil,
    using initialiser: @autoclosure () -> (@Sendable (P1) throws -> Element),
    file: StaticString = #fileID, line: UInt = #line
  ) throws -> Registration<Element> {
    let initialiser = initialiser()
    return try contributeWired(
      element, name, scope, hooks, file, line, ParameterTypes().adding(P1.self)
    ) { r in
      try initialiser(r.parameter())
    }
  }

  @_documentation(visibility: internal)
  @inlinable @discardableResult
  public func wireContribution<Element, P1, P2>(
    to element: Element.Type, name: Name? = nil, scope: Scope<Element>? = nil,
    with hooks: Hooks<Element>? = nil,
    using initialiser: @autoclosure () -> (@Sendable (P1, P2) throws -> Element),
    file: StaticString = #fileID, line: UInt = #line
  ) throws -> Registration<Element> {
    let initialiser = initialiser()
    return try contributeWired(
      element, name, scope, hooks, file, line, ParameterTypes().adding(P1.self).adding(P2.self)
    ) { r in
      try initialiser(r.parameter(), r.parameter())
    }
  }

  @_documentation(visibility: internal)
  @inlinable @discardableResult
  public func wireContribution<Element, P1, P2, P3>(
    to element: Element.Type, name: Name? = nil, scope: Scope<Element>? = nil,
    with hooks: Hooks<Element>? = nil,
    using initialiser: @autoclosure () -> (@Sendable (P1, P2, P3) throws -> Element),
    file: StaticString = #fileID, line: UInt = #line
  ) throws -> Registration<Element> {
    let initialiser = initialiser()
    return try contributeWired(
      element, name, scope, hooks, file, line,
      ParameterTypes().adding(P1.self).adding(P2.self).adding(P3.self)
    ) { r in
      try initialiser(r.parameter(), r.parameter(), r.parameter())
    }
  }

  @_documentation(visibility: internal)
  @inlinable @discardableResult
  public func wireContribution<Element, P1, P2, P3, P4>(
    to element: Element.Type, name: Name? = nil, scope: Scope<Element>? = nil,
    with hooks: Hooks<Element>? = nil,
    using initialiser: @autoclosure () -> (@Sendable (P1, P2, P3, P4) throws -> Element),
    file: StaticString = #fileID, line: UInt = #line
  ) throws -> Registration<Element> {
    let initialiser = initialiser()
    return try contributeWired(
      element, name, scope, hooks, file, line,
      ParameterTypes().adding(P1.self).adding(P2.self).adding(P3.self).adding(P4.self)
    ) { r in
      try initialiser(r.parameter(), r.parameter(), r.parameter(), r.parameter())
    }
  }

  @_documentation(visibility: internal)
  @inlinable @discardableResult
  public func wireContribution<Element, P1, P2, P3, P4, P5>(
    to element: Element.Type, name: Name? = nil, scope: Scope<Element>? = nil,
    with hooks: Hooks<Element>? = nil,
    using initialiser: @autoclosure () -> (@Sendable (P1, P2, P3, P4, P5) throws -> Element),
    file: StaticString = #fileID, line: UInt = #line
  ) throws -> Registration<Element> {
    let initialiser = initialiser()
    return try contributeWired(
      element, name, scope, hooks, file, line,
      ParameterTypes().adding(P1.self).adding(P2.self).adding(P3.self).adding(P4.self).adding(
        P5.self)
    ) { r in
      try initialiser(r.parameter(), r.parameter(), r.parameter(), r.parameter(), r.parameter())
    }
  }

  @_documentation(visibility: internal)
  @inlinable @discardableResult
  public func wireContribution<Element, P1, P2, P3, P4, P5, P6>(
    to element: Element.Type, name: Name? = nil, scope: Scope<Element>? = nil,
    with hooks: Hooks<Element>? = nil,
    using initialiser: @autoclosure () -> (@Sendable (P1, P2, P3, P4, P5, P6) throws -> Element),
    file: StaticString = #fileID, line: UInt = #line
  ) throws -> Registration<Element> {
    let initialiser = initialiser()
    return try contributeWired(
      element, name, scope, hooks, file, line,
      ParameterTypes().adding(P1.self).adding(P2.self).adding(P3.self).adding(P4.self).adding(
        P5.self
      ).adding(P6.self)
    ) { r in
      try initialiser(
        r.parameter(), r.parameter(), r.parameter(), r.parameter(), r.parameter(), r.parameter())
    }
  }

  @_documentation(visibility: internal)
  @inlinable @discardableResult
  public func wireContribution<Element, P1, P2, P3, P4, P5, P6, P7>(
    to element: Element.Type, name: Name? = nil, scope: Scope<Element>? = nil,
    with hooks: Hooks<Element>? = nil,
    using initialiser:
      @autoclosure () -> (@Sendable (P1, P2, P3, P4, P5, P6, P7) throws -> Element),
    file: StaticString = #fileID, line: UInt = #line
  ) throws -> Registration<Element> {
    let initialiser = initialiser()
    return try contributeWired(
      element, name, scope, hooks, file, line,
      ParameterTypes().adding(P1.self).adding(P2.self).adding(P3.self).adding(P4.self).adding(
        P5.self
      ).adding(P6.self).adding(P7.self)
    ) { r in
      try initialiser(
        r.parameter(), r.parameter(), r.parameter(), r.parameter(), r.parameter(), r.parameter(),
        r.parameter())
    }
  }

  @_documentation(visibility: internal)
  @inlinable @discardableResult
  public func wireContribution<Element, P1, P2, P3, P4, P5, P6, P7, P8>(
    to element: Element.Type, name: Name? = nil, scope: Scope<Element>? = nil,
    with hooks: Hooks<Element>? = nil,
    using initialiser:
      @autoclosure () -> (@Sendable (P1, P2, P3, P4, P5, P6, P7, P8) throws -> Element),
    file: StaticString = #fileID, line: UInt = #line
  ) throws -> Registration<Element> {
    let initialiser = initialiser()
    return try contributeWired(
      element, name, scope, hooks, file, line,
      ParameterTypes().adding(P1.self).adding(P2.self).adding(P3.self).adding(P4.self).adding(
        P5.self
      ).adding(P6.self).adding(P7.self).adding(P8.self)
    ) { r in
      try initialiser(
        r.parameter(), r.parameter(), r.parameter(), r.parameter(), r.parameter(), r.parameter(),
        r.parameter(), r.parameter())
    }
  }

  @_documentation(visibility: internal)
  @inlinable @discardableResult
  public func wireContribution<Element, P1, P2, P3, P4, P5, P6, P7, P8, P9>(
    to element: Element.Type, name: Name? = nil, scope: Scope<Element>? = nil,
    with hooks: Hooks<Element>? = nil,
    using initialiser:
      @autoclosure () -> (@Sendable (P1, P2, P3, P4, P5, P6, P7, P8, P9) throws -> Element),
    file: StaticString = #fileID, line: UInt = #line
  ) throws -> Registration<Element> {
    let initialiser = initialiser()
    return try contributeWired(
      element, name, scope, hooks, file, line,
      ParameterTypes().adding(P1.self).adding(P2.self).adding(P3.self).adding(P4.self).adding(
        P5.self
      ).adding(P6.self).adding(P7.self).adding(P8.self).adding(P9.self)
    ) { r in
      try initialiser(
        r.parameter(), r.parameter(), r.parameter(), r.parameter(), r.parameter(), r.parameter(),
        r.parameter(), r.parameter(), r.parameter())
    }
  }

  @_documentation(visibility: internal)
  @inlinable @discardableResult
  public func wireContribution<Element, P1, P2, P3, P4, P5, P6, P7, P8, P9, P10>(
    to element: Element.Type, name: Name? = nil, scope: Scope<Element>? = nil,
    with hooks: Hooks<Element>? = nil,
    using initialiser:
      @autoclosure () -> (@Sendable (P1, P2, P3, P4, P5, P6, P7, P8, P9, P10) throws -> Element),
    file: StaticString = #fileID, line: UInt = #line
  ) throws -> Registration<Element> {
    let initialiser = initialiser()
    return try contributeWired(
      element, name, scope, hooks, file, line,
      ParameterTypes().adding(P1.self).adding(P2.self).adding(P3.self).adding(P4.self).adding(
        P5.self
      ).adding(P6.self).adding(P7.self).adding(P8.self).adding(P9.self).adding(P10.self)
    ) { r in
      try initialiser(
        r.parameter(), r.parameter(), r.parameter(), r.parameter(), r.parameter(), r.parameter(),
        r.parameter(), r.parameter(), r.parameter(), r.parameter())
    }
  }

  @_documentation(visibility: internal)
  @inlinable @discardableResult
  public func wireContribution<Element, P1, P2, P3, P4, P5, P6, P7, P8, P9, P10, P11>(
    to element: Element.Type, name: Name? = nil, scope: Scope<Element>? = nil,
    with hooks: Hooks<Element>? = nil,
    using initialiser:
      @autoclosure () -> (
        @Sendable (P1, P2, P3, P4, P5, P6, P7, P8, P9, P10, P11) throws -> Element
      ),
    file: StaticString = #fileID, line: UInt = #line
  ) throws -> Registration<Element> {
    let initialiser = initialiser()
    return try contributeWired(
      element, name, scope, hooks, file, line,
      ParameterTypes().adding(P1.self).adding(P2.self).adding(P3.self).adding(P4.self).adding(
        P5.self
      ).adding(P6.self).adding(P7.self).adding(P8.self).adding(P9.self).adding(P10.self).adding(
        P11.self)
    ) { r in
      try initialiser(
        r.parameter(), r.parameter(), r.parameter(), r.parameter(), r.parameter(), r.parameter(),
        r.parameter(), r.parameter(), r.parameter(), r.parameter(), r.parameter())
    }
  }

  @_documentation(visibility: internal)
  @inlinable @discardableResult
  public func wireContribution<Element, P1, P2, P3, P4, P5, P6, P7, P8, P9, P10, P11, P12>(
    to element: Element.Type, name: Name? = nil, scope: Scope<Element>? = nil,
    with hooks: Hooks<Element>? = nil,
    using initialiser:
      @autoclosure () -> (
        @Sendable (P1, P2, P3, P4, P5, P6, P7, P8, P9, P10, P11, P12) throws -> Element
      ),
    file: StaticString = #fileID, line: UInt = #line
  ) throws -> Registration<Element> {
    let initialiser = initialiser()
    return try contributeWired(
      element, name, scope, hooks, file, line,
      ParameterTypes().adding(P1.self).adding(P2.self).adding(P3.self).adding(P4.self).adding(
        P5.self
      ).adding(P6.self).adding(P7.self).adding(P8.self).adding(P9.self).adding(P10.self).adding(
        P11.self
      ).adding(P12.self)
    ) { r in
      try initialiser(
        r.parameter(), r.parameter(), r.parameter(), r.parameter(), r.parameter(), r.parameter(),
        r.parameter(), r.parameter(), r.parameter(), r.parameter(), r.parameter(), r.parameter())
    }
  }
}
