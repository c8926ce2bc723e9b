// SPDX-License-Identifier: MIT

/// See Container+Wiring.swift. Not inlined: their packs take the compiler long in a function with many of them.
extension Container {
  /// Registers an initialiser that takes arguments of the resolve among its dependencies.
  ///
  /// ```swift
  /// // init(id: Int, users: any Users, role: Role)
  /// try container.wire(Session.self, arguments: Int.self, Role.self, using: Session.init)
  /// let session = try container.resolve(Session.self, arguments: 7, Role.admin)
  /// ```
  ///
  /// A parameter whose type is that of the next argument takes it, wherever it stands. All others are resolved.
  ///
  /// - Parameters:
  ///   - product: the type to resolve by.
  ///   - name: distinguishes registrations of the same type.
  ///   - first: the type of the first argument.
  ///   - rest: the types of the others.
  ///   - scope: which resolves share the instances; a shared scope stores one for each value of the arguments.
  ///   - overridable: `false` refuses to override, and to be overridden.
  ///   - hooks: actions and the like, which each instance has from the first on; see ``Hooks``.
  ///   - initialiser: builds an instance. It may throw.
  ///   - file: the file that messages name; the caller's when left out.
  ///   - line: the line that messages name; the caller's when left out.
  /// - Returns: the registration.
  /// - Throws: ``RegistrationError/argumentNotTaken(key:argument:location:)`` if no parameter takes an argument;
  ///   ``RegistrationError/alreadyRegistered(key:existing:refused:policy:)``,
  ///   ``RegistrationError/scopeRefusesArguments(key:scope:location:)``.
  /// - Complexity: O(1) amortised.
  ///
  /// Takes the container's writer lock.
  @inlinable @inline(never) @discardableResult
  public func wire<Product, P1, First, each Rest>(
    _ product: Product.Type, name: Name? = nil, arguments first: First.Type,
    _ rest: repeat (each Rest).Type,
    scope: Scope<Product> = .transient, overridable: Bool = true, with hooks: Hooks<Product>? = nil,
    using initialiser: @autoclosure () -> (@Sendable (P1) throws -> Product),
    file: StaticString = #fileID, line: UInt = #line
  ) throws -> Registration<Product> {
    let initialiser = initialiser()
    return try registerWired(
      product, name, first, repeat each rest, scope: scope, overridable, hooks, file, line,
      parameters: P1.self
    ) { p in try initialiser(p.parameter(0)) }
  }

  @_documentation(visibility: internal)
  @inlinable @inline(never) @discardableResult
  public func wire<Product, P1, P2, First, each Rest>(
    _ product: Product.Type, name: Name? = nil, arguments first: First.Type,
    _ rest: repeat (each Rest).Type,
    scope: Scope<Product> = .transient, overridable: Bool = true, with hooks: Hooks<Product>? = nil,
    using initialiser: @autoclosure () -> (@Sendable (P1, P2) throws -> Product),
    file: StaticString = #fileID, line: UInt = #line
  ) throws -> Registration<Product> {
    let initialiser = initialiser()
    return try registerWired(
      product, name, first, repeat each rest, scope: scope, overridable, hooks, file, line,
      parameters: P1.self, P2.self
    ) { p in try initialiser(p.parameter(0), p.parameter(1)) }
  }

  @_documentation(visibility: internal)
  @inlinable @inline(never) @discardableResult
  public func wire<Product, P1, P2, P3, First, each Rest>(
    _ product: Product.Type, name: Name? = nil, arguments first: First.Type,
    _ rest: repeat (each Rest).Type,
    scope: Scope<Product> = .transient, overridable: Bool = true, with hooks: Hooks<Product>? = nil,
    using initialiser: @autoclosure () -> (@Sendable (P1, P2, P3) throws -> Product),
    file: StaticString = #fileID, line: UInt = #line
  ) throws -> Registration<Product> {
    let initialiser = initialiser()
    return try registerWired(
      product, name, first, repeat each rest, scope: scope, overridable, hooks, file, line,
      parameters: P1.self, P2.self, P3.self
    ) { p in try initialiser(p.parameter(0), p.parameter(1), p.parameter(2)) }
  }

  @_documentation(visibility: internal)
  @inlinable @inline(never) @discardableResult
  public func wire<Product, P1, P2, P3, P4, First, each Rest>(
    _ product: Product.Type, name: Name? = nil, arguments first: First.Type,
    _ rest: repeat (each Rest).Type,
    scope: Scope<Product> = .transient, overridable: Bool = true, with hooks: Hooks<Product>? = nil,
    using initialiser: @autoclosure () -> (@Sendable (P1, P2, P3, P4) throws -> Product),
    file: StaticString = #fileID, line: UInt = #line
  ) throws -> Registration<Product> {
    let initialiser = initialiser()
    return try registerWired(
      product, name, first, repeat each rest, scope: scope, overridable, hooks, file, line,
      parameters: P1.self, P2.self, P3.self, P4.self
    ) { p in try initialiser(p.parameter(0), p.parameter(1), p.parameter(2), p.parameter(3)) }
  }

  @_documentation(visibility: internal)
  @inlinable @inline(never) @discardableResult
  public func wire<Product, P1, P2, P3, P4, P5, First, each Rest>(
    _ product: Product.Type, name: Name? = nil, arguments first: First.Type,
    _ rest: repeat (each Rest).Type,
    scope: Scope<Product> = .transient, overridable: Bool = true, with hooks: Hooks<Product>? = nil,
    using initialiser: @autoclosure () -> (@Sendable (P1, P2, P3, P4, P5) throws -> Product),
    file: StaticString = #fileID, line: UInt = #line
  ) throws -> Registration<Product> {
    let initialiser = initialiser()
    return try registerWired(
      product, name, first, repeat each rest, scope: scope, overridable, hooks, file, line,
      parameters: P1.self, P2.self, P3.self, P4.self, P5.self
    ) { p in
      try initialiser(
        p.parameter(0), p.parameter(1), p.parameter(2), p.parameter(3), p.parameter(4))
    }
  }

  @_documentation(visibility: internal)
  @inlinable @inline(never) @discardableResult
  public func wire<Product, P1, P2, P3, P4, P5, P6, First, each Rest>(
    _ product: Product.Type, name: Name? = nil, arguments first: First.Type,
    _ rest: repeat (each Rest).Type,
    scope: Scope<Product> = .transient, overridable: Bool = true, with hooks: Hooks<Product>? = nil,
    using initialiser: @autoclosure () -> (@Sendable (P1, P2, P3, P4, P5, P6) throws -> Product),
    file: StaticString = #fileID, line: UInt = #line
  ) throws -> Registration<Product> {
    let initialiser = initialiser()
    return try registerWired(
      product, name, first, repeat each rest, scope: scope, overridable, hooks, file, line,
      parameters: P1.self, P2.self, P3.self, P4.self, P5.self, P6.self
    ) { p in
      try initialiser(
        p.parameter(0), p.parameter(1), p.parameter(2), p.parameter(3), p.parameter(4),
        p.parameter(5))
    }
  }

  @_documentation(visibility: internal)
  @inlinable @inline(never) @discardableResult
  public func wire<Product, P1, P2, P3, P4, P5, P6, P7, First, each Rest>(
    _ product: Product.Type, name: Name? = nil, arguments first: First.Type,
    _ rest: repeat (each Rest).Type,
    scope: Scope<Product> = .transient, overridable: Bool = true, with hooks: Hooks<Product>? = nil,
    using initialiser:
      @autoclosure () -> (@Sendable (P1, P2, P3, P4, P5, P6, P7) throws -> Product),
    file: StaticString = #fileID, line: UInt = #line
  ) throws -> Registration<Product> {
    let initialiser = initialiser()
    return try registerWired(
      product, name, first, repeat each rest, scope: scope, overridable, hooks, file, line,
      parameters: P1.self, P2.self, P3.self, P4.self, P5.self, P6.self, P7.self
    ) { p in
      try initialiser(
        p.parameter(0), p.parameter(1), p.parameter(2), p.parameter(3), p.parameter(4),
        p.parameter(5), p.parameter(6))
    }
  }

  @_documentation(visibility: internal)
  @inlinable @inline(never) @discardableResult
  public func wire<Product, P1, P2, P3, P4, P5, P6, P7, P8, First, each Rest>(
    _ product: Product.Type, name: Name? = nil, arguments first: First.Type,
    _ rest: repeat (each Rest).Type,
    scope: Scope<Product> = .transient, overridable: Bool = true, with hooks: Hooks<Product>? = nil,
    using initialiser:
      @autoclosure () -> (@Sendable (P1, P2, P3, P4, P5, P6, P7, P8) throws -> Product),
    file: StaticString = #fileID, line: UInt = #line
  ) throws -> Registration<Product> {
    let initialiser = initialiser()
    return try registerWired(
      product, name, first, repeat each rest, scope: scope, overridable, hooks, file, line,
      parameters: P1.self, P2.self, P3.self, P4.self, P5.self, P6.self, P7.self, P8.self
    ) { p in
      try initialiser(
        p.parameter(0), p.parameter(1), p.parameter(2), p.parameter(3), p.parameter(4),
        p.parameter(5), p.parameter(6), p.parameter(7))
    }
  }

  @_documentation(visibility: internal)
  @inlinable @inline(never) @discardableResult
  public func wire<Product, P1, P2, P3, P4, P5, P6, P7, P8, P9, First, each Rest>(
    _ product: Product.Type, name: Name? = nil, arguments first: First.Type,
    _ rest: repeat (each Rest).Type,
    scope: Scope<Product> = .transient, overridable: Bool = true, with hooks: Hooks<Product>? = nil,
    using initialiser:
      @autoclosure () -> (@Sendable (P1, P2, P3, P4, P5, P6, P7, P8, P9) throws -> Product),
    file: StaticString = #fileID, line: UInt = #line
  ) throws -> Registration<Product> {
    let initialiser = initialiser()
    return try registerWired(
      product, name, first, repeat each rest, scope: scope, overridable, hooks, file, line,
      parameters: P1.self, P2.self, P3.self, P4.self, P5.self, P6.self, P7.self, P8.self, P9.self
    ) { p in
      try initialiser(
        p.parameter(0), p.parameter(1), p.parameter(2), p.parameter(3), p.parameter(4),
        p.parameter(5), p.parameter(6), p.parameter(7), p.parameter(8))
    }
  }

  @_documentation(visibility: internal)
  @inlinable @inline(never) @discardableResult
  public func wire<Product, P1, P2, P3, P4, P5, P6, P7, P8, P9, P10, First, each Rest>(
    _ product: Product.Type, name: Name? = nil, arguments first: First.Type,
    _ rest: repeat (each Rest).Type,
    scope: Scope<Product> = .transient, overridable: Bool = true, with hooks: Hooks<Product>? = nil,
    using initialiser:
      @autoclosure () -> (@Sendable (P1, P2, P3, P4, P5, P6, P7, P8, P9, P10) throws -> Product),
    file: StaticString = #fileID, line: UInt = #line
  ) throws -> Registration<Product> {
    let initialiser = initialiser()
    return try registerWired(
      product, name, first, repeat each rest, scope: scope, overridable, hooks, file, line,
      parameters: P1.self, P2.self, P3.self, P4.self, P5.self, P6.self, P7.self, P8.self, P9.self,
      P10.self
    ) { p in
      try initialiser(
        p.parameter(0), p.parameter(1), p.parameter(2), p.parameter(3), p.parameter(4),
        p.parameter(5), p.parameter(6), p.parameter(7), p.parameter(8), p.parameter(9))
    }
  }

  @_documentation(visibility: internal)
  @inlinable @inline(never) @discardableResult
  public func wire<Product, P1, P2, P3, P4, P5, P6, P7, P8, P9, P10, P11, First, each Rest>(
    _ product: Product.Type, name: Name? = nil, arguments first: First.Type,
    _ rest: repeat (each Rest).Type,
    scope: Scope<Product> = .transient, overridable: Bool = true, with hooks: Hooks<Product>? = nil,
    using initialiser:
      @autoclosure () -> (
        @Sendable (P1, P2, P3, P4, P5, P6, P7, P8, P9, P10, P11) throws -> Product
      ),
    file: StaticString = #fileID, line: UInt = #line
  ) throws -> Registration<Product> {
    let initialiser = initialiser()
    return try registerWired(
      product, name, first, repeat each rest, scope: scope, overridable, hooks, file, line,
      parameters: P1.self, P2.self, P3.self, P4.self, P5.self, P6.self, P7.self, P8.self, P9.self,
      P10.self, P11.self
    ) { p in
      try initialiser(
        p.parameter(0), p.parameter(1), p.parameter(2), p.parameter(3), p.parameter(4),
        p.parameter(5), p.parameter(6), p.parameter(7), p.parameter(8), p.parameter(9),
        p.parameter(10))
    }
  }

  @_documentation(visibility: internal)
  @inlinable @inline(never) @discardableResult
  public func wire<
    Product, P1, P2, P3, P4, P5, P6, P7, P8, P9, P10, P11, P12, First, each Rest
  >(
    _ product: Product.Type, name: Name? = nil, arguments first: First.Type,
    _ rest: repeat (each Rest).Type,
    scope: Scope<Product> = .transient, overridable: Bool = true, with hooks: Hooks<Product>? = nil,
    using initialiser:
      @autoclosure () -> (
        @Sendable (P1, P2, P3, P4, P5, P6, P7, P8, P9, P10, P11, P12) throws -> Product
      ),
    file: StaticString = #fileID, line: UInt = #line
  ) throws -> Registration<Product> {
    let initialiser = initialiser()
    return try registerWired(
      product, name, first, repeat each rest, scope: scope, overridable, hooks, file, line,
      parameters: P1.self, P2.self, P3.self, P4.self, P5.self, P6.self, P7.self, P8.self, P9.self,
      P10.self, P11.self, P12.self
    ) { p in
      try initialiser(
        p.parameter(0), p.parameter(1), p.parameter(2), p.parameter(3), p.parameter(4),
        p.parameter(5), p.parameter(6), p.parameter(7), p.parameter(8), p.parameter(9),
        p.parameter(10), p.parameter(11))
    }
  }
}
