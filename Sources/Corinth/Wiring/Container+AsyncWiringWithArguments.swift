// SPDX-License-Identifier: MIT

/// See Container+Wiring.swift. Not inlined: their packs take the compiler long in a function with many of them.
extension Container {
  /// Registers an initialiser, asynchronous or not, that takes arguments of the resolve among its dependencies.
  ///
  /// ```swift
  /// // init(id: Int, users: any Users) async throws
  /// try container.wireAsync(Session.self, arguments: Int.self, using: Session.init)
  /// let session = try await container.resolveAsync(Session.self, arguments: 7)
  /// ```
  ///
  /// A parameter whose type is that of the next argument takes it, wherever it stands. All others are resolved, one after
  /// the other.
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
  /// - Throws: ``RegistrationError``, as the synchronous form.
  /// - Complexity: O(1) amortised.
  ///
  /// Takes the container's writer lock.
  @inlinable @inline(never) @discardableResult
  public func wireAsync<Product, P1, First: Sendable, each Rest: Sendable>(
    _ product: Product.Type, name: Name? = nil, arguments first: First.Type,
    _ rest: repeat (each Rest).Type,
    scope: Scope<Product> = .transient, overridable: Bool = true, with hooks: Hooks<Product>? = nil,
    using initialiser: @autoclosure () -> (@Sendable (P1) async throws -> Product),
    file: StaticString = #fileID, line: UInt = #line
  ) throws -> Registration<Product> {
    let initialiser = initialiser()
    return try registerAsyncWired(
      product, name, first, repeat each rest, scope: scope, overridable, hooks, file, line,
      parameters: P1.self
    ) { p in try await initialiser(p.parameterAsync(0)) }
  }

  @_documentation(visibility: internal)
  @inlinable @inline(never) @discardableResult
  public func wireAsync<Product, P1, P2, First: Sendable, each Rest: Sendable>(
    _ product: Product.Type, name: Name? = nil, arguments first: First.Type,
    _ rest: repeat (each Rest).Type,
    scope: Scope<Product> = .transient, overridable: Bool = true, with hooks: Hooks<Product>? = nil,
    using initialiser: @autoclosure () -> (@Sendable (P1, P2) async throws -> Product),
    file: StaticString = #fileID, line: UInt = #line
  ) throws -> Registration<Product> {
    let initialiser = initialiser()
    return try registerAsyncWired(
      product, name, first, repeat each rest, scope: scope, overridable, hooks, file, line,
      parameters: P1.self, P2.self
    ) { p in try await initialiser(p.parameterAsync(0), p.parameterAsync(1)) }
  }

  @_documentation(visibility: internal)
  @inlinable @inline(never) @discardableResult
  public func wireAsync<Product, P1, P2, P3, First: Sendable, each Rest: Sendable>(
    _ product: Product.Type, name: Name? = nil, arguments first: First.Type,
    _ rest: repeat (each Rest).Type,
    scope: Scope<Product> = .transient, overridable: Bool = true, with hooks: Hooks<Product>? = nil,
    using initialiser: @autoclosure () -> (@Sendable (P1, P2, P3) async throws -> Product),
    file: StaticString = #fileID, line: UInt = #line
  ) throws -> Registration<Product> {
    let initialiser = initialiser()
    return try registerAsyncWired(
      product, name, first, repeat each rest, scope: scope, overridable, hooks, file, line,
      parameters: P1.self, P2.self, P3.self
    ) { p in try await initialiser(p.parameterAsync(0), p.parameterAsync(1), p.parameterAsync(2)) }
  }

  @_documentation(visibility: internal)
  @inlinable @inline(never) @discardableResult
  public func wireAsync<Product, P1, P2, P3, P4, First: Sendable, each Rest: Sendable>(
    _ product: Product.Type, name: Name? = nil, arguments first: First.Type,
    _ rest: repeat (each Rest).Type,
    scope: Scope<Product> = .transient, overridable: Bool = true, with hooks: Hooks<Product>? = nil,
    using initialiser: @autoclosure () -> (@Sendable (P1, P2, P3, P4) async throws -> Product),
    file: StaticString = #fileID, line: UInt = #line
  ) throws -> Registration<Product> {
    let initialiser = initialiser()
    return try registerAsyncWired(
      product, name, first, repeat each rest, scope: scope, overridable, hooks, file, line,
      parameters: P1.self, P2.self, P3.self, P4.self
    ) { p in
      try await initialiser(
        p.parameterAsync(0), p.parameterAsync(1), p.parameterAsync(2), p.parameterAsync(3))
    }
  }

  @_documentation(visibility: internal)
  @inlinable @inline(never) @discardableResult
  public func wireAsync<Product, P1, P2, P3, P4, P5, First: Sendable, each Rest: Sendable>(
    _ product: Product.Type, name: Name? = nil, arguments first: First.Type,
    _ rest: repeat (each Rest).Type,
    scope: Scope<Product> = .transient, overridable: Bool = true, with hooks: Hooks<Product>? = nil,
    using initialiser: @autoclosure () -> (@Sendable (P1, P2, P3, P4, P5) async throws -> Product),
    file: StaticString = #fileID, line: UInt = #line
  ) throws -> Registration<Product> {
    let initialiser = initialiser()
    return try registerAsyncWired(
      product, name, first, repeat each rest, scope: scope, overridable, hooks, file, line,
      parameters: P1.self, P2.self, P3.self, P4.self, P5.self
    ) { p in
      try await initialiser(
        p.parameterAsync(0), p.parameterAsync(1), p.parameterAsync(2), p.parameterAsync(3),
        p.parameterAsync(4))
    }
  }

  @_documentation(visibility: internal)
  @inlinable @inline(never) @discardableResult
  public func wireAsync<Product, P1, P2, P3, P4, P5, P6, First: Sendable, each Rest: Sendable>(
    _ product: Product.Type, name: Name? = nil, arguments first: First.Type,
    _ rest: repeat (each Rest).Type,
    scope: Scope<Product> = .transient, overridable: Bool = true, with hooks: Hooks<Product>? = nil,
    using initialiser:
      @autoclosure () -> (@Sendable (P1, P2, P3, P4, P5, P6) async throws -> Product),
    file: StaticString = #fileID, line: UInt = #line
  ) throws -> Registration<Product> {
    let initialiser = initialiser()
    return try registerAsyncWired(
      product, name, first, repeat each rest, scope: scope, overridable, hooks, file, line,
      parameters: P1.self, P2.self, P3.self, P4.self, P5.self, P6.self
    ) { p in
      try await initialiser(
        p.parameterAsync(0), p.parameterAsync(1), p.parameterAsync(2), p.parameterAsync(3),
        p.parameterAsync(4), p.parameterAsync(5))
    }
  }

  @_documentation(visibility: internal)
  @inlinable @inline(never) @discardableResult
  public func wireAsync<
    Product, P1, P2, P3, P4, P5, P6, P7, First: Sendable, each Rest: Sendable
  >(
    _ product: Product.Type, name: Name? = nil, arguments first: First.Type,
    _ rest: repeat (each Rest).Type,
    scope: Scope<Product> = .transient, overridable: Bool = true, with hooks: Hooks<Product>? = nil,
    using initialiser:
      @autoclosure () -> (@Sendable (P1, P2, P3, P4, P5, P6, P7) async throws -> Product),
    file: StaticString = #fileID, line: UInt = #line
  ) throws -> Registration<Product> {
    let initialiser = initialiser()
    return try registerAsyncWired(
      product, name, first, repeat each rest, scope: scope, overridable, hooks, file, line,
      parameters: P1.self, P2.self, P3.self, P4.self, P5.self, P6.self, P7.self
    ) { p in
      try await initialiser(
        p.parameterAsync(0), p.parameterAsync(1), p.parameterAsync(2), p.parameterAsync(3),
        p.parameterAsync(4), p.parameterAsync(5), p.parameterAsync(6))
    }
  }

  @_documentation(visibility: internal)
  @inlinable @inline(never) @discardableResult
  public func wireAsync<
    Product, P1, P2, P3, P4, P5, P6, P7, P8, First: Sendable, each Rest: Sendable
  >(
    _ product: Product.Type, name: Name? = nil, arguments first: First.Type,
    _ rest: repeat (each Rest).Type,
    scope: Scope<Product> = .transient, overridable: Bool = true, with hooks: Hooks<Product>? = nil,
    using initialiser:
      @autoclosure () -> (@Sendable (P1, P2, P3, P4, P5, P6, P7, P8) async throws -> Product),
    file: StaticString = #fileID, line: UInt = #line
  ) throws -> Registration<Product> {
    let initialiser = initialiser()
    return try registerAsyncWired(
      product, name, first, repeat each rest, scope: scope, overridable, hooks, file, line,
      parameters: P1.self, P2.self, P3.self, P4.self, P5.self, P6.self, P7.self, P8.self
    ) { p in
      try await initialiser(
        p.parameterAsync(0), p.parameterAsync(1), p.parameterAsync(2), p.parameterAsync(3),
        p.parameterAsync(4), p.parameterAsync(5), p.parameterAsync(6), p.parameterAsync(7))
    }
  }

  @_documentation(visibility: internal)
  @inlinable @inline(never) @discardableResult
  public func wireAsync<
    Product, P1, P2, P3, P4, P5, P6, P7, P8, P9, First: Sendable, each Rest: Sendable
  >(
    _ product: Product.Type, name: Name? = nil, arguments first: First.Type,
    _ rest: repeat (each Rest).Type,
    scope: Scope<Product> = .transient, overridable: Bool = true, with hooks: Hooks<Product>? = nil,
    using initialiser:
      @autoclosure () -> (@Sendable (P1, P2, P3, P4, P5, P6, P7, P8, P9) async throws -> Product),
    file: StaticString = #fileID, line: UInt = #line
  ) throws -> Registration<Product> {
    let initialiser = initialiser()
    return try registerAsyncWired(
      product, name, first, repeat each rest, scope: scope, overridable, hooks, file, line,
      parameters: P1.self, P2.self, P3.self, P4.self, P5.self, P6.self, P7.self, P8.self, P9.self
    ) { p in
      try await initialiser(
        p.parameterAsync(0), p.parameterAsync(1), p.parameterAsync(2), p.parameterAsync(3),
        p.parameterAsync(4), p.parameterAsync(5), p.parameterAsync(6), p.parameterAsync(7),
        p.parameterAsync(8))
    }
  }

  @_documentation(visibility: internal)
  @inlinable @inline(never) @discardableResult
  public func wireAsync<
    Product, P1, P2, P3, P4, P5, P6, P7, P8, P9, P10, First: Sendable, each Rest: Sendable
  >(
    _ product: Product.Type, name: Name? = nil, arguments first: First.Type,
    _ rest: repeat (each Rest).Type,
    scope: Scope<Product> = .transient, overridable: Bool = true, with hooks: Hooks<Product>? = nil,
    using initialiser:
      @autoclosure () -> (
        @Sendable (P1, P2, P3, P4, P5, P6, P7, P8, P9, P10) async throws -> Product
      ),
    file: StaticString = #fileID, line: UInt = #line
  ) throws -> Registration<Product> {
    let initialiser = initialiser()
    return try registerAsyncWired(
      product, name, first, repeat each rest, scope: scope, overridable, hooks, file, line,
      parameters: P1.self, P2.self, P3.self, P4.self, P5.self, P6.self, P7.self, P8.self, P9.self,
      P10.self
    ) { p in
      try await initialiser(
        p.parameterAsync(0), p.parameterAsync(1), p.parameterAsync(2), p.parameterAsync(3),
        p.parameterAsync(4), p.parameterAsync(5), p.parameterAsync(6), p.parameterAsync(7),
        p.parameterAsync(8), p.parameterAsync(9))
    }
  }

  @_documentation(visibility: internal)
  @inlinable @inline(never) @discardableResult
  public func wireAsync<
    Product, P1, P2, P3, P4, P5, P6, P7, P8, P9, P10, P11, First: Sendable, each Rest: Sendable
  >(
    _ product: Product.Type, name: Name? = nil, arguments first: First.Type,
    _ rest: repeat (each Rest).Type,
    scope: Scope<Product> = .transient, overridable: Bool = true, with hooks: Hooks<Product>? = nil,
    using initialiser:
      @autoclosure () -> (
        @Sendable (P1, P2, P3, P4, P5, P6, P7, P8, P9, P10, P11) async throws -> Product
      ),
    file: StaticString = #fileID, line: UInt = #line
  ) throws -> Registration<Product> {
    let initialiser = initialiser()
    return try registerAsyncWired(
      product, name, first, repeat each rest, scope: scope, overridable, hooks, file, line,
      parameters: P1.self, P2.self, P3.self, P4.self, P5.self, P6.self, P7.self, P8.self, P9.self,
      P10.self, P11.self
    ) { p in
      try await initialiser(
        p.parameterAsync(0), p.parameterAsync(1), p.parameterAsync(2), p.parameterAsync(3),
        p.parameterAsync(4), p.parameterAsync(5), p.parameterAsync(6), p.parameterAsync(7),
        p.parameterAsync(8), p.parameterAsync(9), p.parameterAsync(10))
    }
  }

  @_documentation(visibility: internal)
  @inlinable @inline(never) @discardableResult
  public func wireAsync<
    Product, P1, P2, P3, P4, P5, P6, P7, P8, P9, P10, P11, P12, First: Sendable, each Rest: Sendable
  >(
    _ product: Product.Type, name: Name? = nil, arguments first: First.Type,
    _ rest: repeat (each Rest).Type,
    scope: Scope<Product> = .transient, overridable: Bool = true, with hooks: Hooks<Product>? = nil,
    using initialiser:
      @autoclosure () -> (
        @Sendable (P1, P2, P3, P4, P5, P6, P7, P8, P9, P10, P11, P12) async throws -> Product
      ),
    file: StaticString = #fileID, line: UInt = #line
  ) throws -> Registration<Product> {
    let initialiser = initialiser()
    return try registerAsyncWired(
      product, name, first, repeat each rest, scope: scope, overridable, hooks, file, line,
      parameters: P1.self, P2.self, P3.self, P4.self, P5.self, P6.self, P7.self, P8.self, P9.self,
      P10.self, P11.self, P12.self
    ) { p in
      try await initialiser(
        p.parameterAsync(0), p.parameterAsync(1), p.parameterAsync(2), p.parameterAsync(3),
        p.parameterAsync(4), p.parameterAsync(5), p.parameterAsync(6), p.parameterAsync(7),
        p.parameterAsync(8), p.parameterAsync(9), p.parameterAsync(10), p.parameterAsync(11))
    }
  }
}
