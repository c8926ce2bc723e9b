// SPDX-License-Identifier: MIT

/// Overloads for asynchronous initializers; see Container+Wiring.swift.
extension Container {
  /// Registers an initializer, also asynchronous or of an actor's class, whose parameters are
  /// resolved by their types: up to twelve.
  ///
  /// ```swift
  /// try container.wireAsync(Pool.self, scope: .singleton, using: Pool.connect(to:))
  /// ```
  ///
  /// The parameters are resolved in sequence, asynchronous registrations included. Arguments must
  /// be `Sendable`: the product may hold the arguments, and is sent to the caller. Everything else
  /// works as for an initializer that is wired synchronously.
  ///
  /// - Throws: ``RegistrationError``.
  /// - Complexity: O(1) amortized.
  ///
  /// Takes the container's writer lock.
  @_alwaysEmitIntoClient @discardableResult
  public func wireAsync<Product>(
    _ product: Product.Type, name: Name? = nil, arguments: any Sendable.Type...,
    scope: Scope<Product>? = nil, onDuplicate: DuplicatePolicy? = nil,
    with options: RegistrationOptions<Product>? = nil,
    using initializer: @autoclosure () -> (@Sendable () async throws -> Product),
    file: StaticString = #fileID, line: UInt = #line
  ) throws -> Registration<Product> {
    try registerAsyncWired(
      product, name, arguments, scope, onDuplicate, options, file, line,
      ParameterTypes()
    ) { [initializer = initializer()] _ in try await initializer() }
  }

  @_documentation(visibility: internal) @_alwaysEmitIntoClient @discardableResult
  public func wireAsync<Product, P1>(
    _ product: Product.Type, name: Name? = nil, arguments: any Sendable.Type...,
    scope: Scope<Product>? = nil, onDuplicate: DuplicatePolicy? = nil,
    with options: RegistrationOptions<Product>? = nil,
    using initializer: @autoclosure () -> (@Sendable (P1) async throws -> Product),
    file: StaticString = #fileID, line: UInt = #line
  ) throws -> Registration<Product> {
    try registerAsyncWired(
      product, name, arguments, scope, onDuplicate, options, file, line,
      ParameterTypes().adding(P1.self)
    ) { [initializer = initializer()] r in try await initializer(r.parameterAsync()) }
  }

  @_documentation(visibility: internal) @_alwaysEmitIntoClient @discardableResult
  public func wireAsync<Product, P1, P2>(
    _ product: Product.Type, name: Name? = nil, arguments: any Sendable.Type...,
    scope: Scope<Product>? = nil, onDuplicate: DuplicatePolicy? = nil,
    with options: RegistrationOptions<Product>? = nil,
    using initializer: @autoclosure () -> (@Sendable (P1, P2) async throws -> Product),
    file: StaticString = #fileID, line: UInt = #line
  ) throws -> Registration<Product> {
    try registerAsyncWired(
      product, name, arguments, scope, onDuplicate, options, file, line,
      ParameterTypes().adding(P1.self).adding(P2.self)
    ) { [initializer = initializer()] r in
      try await initializer(r.parameterAsync(), r.parameterAsync())
    }
  }

  @_documentation(visibility: internal) @_alwaysEmitIntoClient @discardableResult
  public func wireAsync<Product, P1, P2, P3>(
    _ product: Product.Type, name: Name? = nil, arguments: any Sendable.Type...,
    scope: Scope<Product>? = nil, onDuplicate: DuplicatePolicy? = nil,
    with options: RegistrationOptions<Product>? = nil,
    using initializer: @autoclosure () -> (@Sendable (P1, P2, P3) async throws -> Product),
    file: StaticString = #fileID, line: UInt = #line
  ) throws -> Registration<Product> {
    try registerAsyncWired(
      product, name, arguments, scope, onDuplicate, options, file, line,
      ParameterTypes().adding(P1.self).adding(P2.self).adding(P3.self)
    ) { [initializer = initializer()] r in
      try await initializer(r.parameterAsync(), r.parameterAsync(), r.parameterAsync())
    }
  }

  @_documentation(visibility: internal) @_alwaysEmitIntoClient @discardableResult
  public func wireAsync<Product, P1, P2, P3, P4>(
    _ product: Product.Type, name: Name? = nil, arguments: any Sendable.Type...,
    scope: Scope<Product>? = nil, onDuplicate: DuplicatePolicy? = nil,
    with options: RegistrationOptions<Product>? = nil,
    using initializer: @autoclosure () -> (@Sendable (P1, P2, P3, P4) async throws -> Product),
    file: StaticString = #fileID, line: UInt = #line
  ) throws -> Registration<Product> {
    try registerAsyncWired(
      product, name, arguments, scope, onDuplicate, options, file, line,
      ParameterTypes().adding(P1.self).adding(P2.self).adding(P3.self).adding(P4.self)
    ) { [initializer = initializer()] r in
      try await initializer(
        r.parameterAsync(), r.parameterAsync(), r.parameterAsync(), r.parameterAsync())
    }
  }

  @_documentation(visibility: internal) @_alwaysEmitIntoClient @discardableResult
  public func wireAsync<Product, P1, P2, P3, P4, P5>(
    _ product: Product.Type, name: Name? = nil, arguments: any Sendable.Type...,
    scope: Scope<Product>? = nil, onDuplicate: DuplicatePolicy? = nil,
    with options: RegistrationOptions<Product>? = nil,
    using initializer: @autoclosure () -> (@Sendable (P1, P2, P3, P4, P5) async throws -> Product),
    file: StaticString = #fileID, line: UInt = #line
  ) throws -> Registration<Product> {
    try registerAsyncWired(
      product, name, arguments, scope, onDuplicate, options, file, line,
      ParameterTypes().adding(P1.self).adding(P2.self).adding(P3.self).adding(P4.self)
        .adding(P5.self)
    ) { [initializer = initializer()] r in
      try await initializer(
        r.parameterAsync(), r.parameterAsync(), r.parameterAsync(), r.parameterAsync(),
        r.parameterAsync())
    }
  }

  @_documentation(visibility: internal) @_alwaysEmitIntoClient @discardableResult
  public func wireAsync<Product, P1, P2, P3, P4, P5, P6>(
    _ product: Product.Type, name: Name? = nil, arguments: any Sendable.Type...,
    scope: Scope<Product>? = nil, onDuplicate: DuplicatePolicy? = nil,
    with options: RegistrationOptions<Product>? = nil,
    using initializer:
      @autoclosure () -> (@Sendable (P1, P2, P3, P4, P5, P6) async throws -> Product),
    file: StaticString = #fileID, line: UInt = #line
  ) throws -> Registration<Product> {
    try registerAsyncWired(
      product, name, arguments, scope, onDuplicate, options, file, line,
      ParameterTypes().adding(P1.self).adding(P2.self).adding(P3.self).adding(P4.self)
        .adding(P5.self).adding(P6.self)
    ) { [initializer = initializer()] r in
      try await initializer(
        r.parameterAsync(), r.parameterAsync(), r.parameterAsync(), r.parameterAsync(),
        r.parameterAsync(), r.parameterAsync())
    }
  }

  @_documentation(visibility: internal) @_alwaysEmitIntoClient @discardableResult
  public func wireAsync<Product, P1, P2, P3, P4, P5, P6, P7>(
    _ product: Product.Type, name: Name? = nil, arguments: any Sendable.Type...,
    scope: Scope<Product>? = nil, onDuplicate: DuplicatePolicy? = nil,
    with options: RegistrationOptions<Product>? = nil,
    using initializer:
      @autoclosure () -> (@Sendable (P1, P2, P3, P4, P5, P6, P7) async throws -> Product),
    file: StaticString = #fileID, line: UInt = #line
  ) throws -> Registration<Product> {
    try registerAsyncWired(
      product, name, arguments, scope, onDuplicate, options, file, line,
      ParameterTypes().adding(P1.self).adding(P2.self).adding(P3.self).adding(P4.self)
        .adding(P5.self).adding(P6.self).adding(P7.self)
    ) { [initializer = initializer()] r in
      try await initializer(
        r.parameterAsync(), r.parameterAsync(), r.parameterAsync(), r.parameterAsync(),
        r.parameterAsync(), r.parameterAsync(), r.parameterAsync())
    }
  }

  @_documentation(visibility: internal) @_alwaysEmitIntoClient @discardableResult
  public func wireAsync<Product, P1, P2, P3, P4, P5, P6, P7, P8>(
    _ product: Product.Type, name: Name? = nil, arguments: any Sendable.Type...,
    scope: Scope<Product>? = nil, onDuplicate: DuplicatePolicy? = nil,
    with options: RegistrationOptions<Product>? = nil,
    using initializer:
      @autoclosure () -> (@Sendable (P1, P2, P3, P4, P5, P6, P7, P8) async throws -> Product),
    file: StaticString = #fileID, line: UInt = #line
  ) throws -> Registration<Product> {
    try registerAsyncWired(
      product, name, arguments, scope, onDuplicate, options, file, line,
      ParameterTypes().adding(P1.self).adding(P2.self).adding(P3.self).adding(P4.self)
        .adding(P5.self).adding(P6.self).adding(P7.self).adding(P8.self)
    ) { [initializer = initializer()] r in
      try await initializer(
        r.parameterAsync(), r.parameterAsync(), r.parameterAsync(), r.parameterAsync(),
        r.parameterAsync(), r.parameterAsync(), r.parameterAsync(), r.parameterAsync())
    }
  }

  @_documentation(visibility: internal) @_alwaysEmitIntoClient @discardableResult
  public func wireAsync<Product, P1, P2, P3, P4, P5, P6, P7, P8, P9>(
    _ product: Product.Type, name: Name? = nil, arguments: any Sendable.Type...,
    scope: Scope<Product>? = nil, onDuplicate: DuplicatePolicy? = nil,
    with options: RegistrationOptions<Product>? = nil,
    using initializer:
      @autoclosure () -> (@Sendable (P1, P2, P3, P4, P5, P6, P7, P8, P9) async throws -> Product),
    file: StaticString = #fileID, line: UInt = #line
  ) throws -> Registration<Product> {
    try registerAsyncWired(
      product, name, arguments, scope, onDuplicate, options, file, line,
      ParameterTypes().adding(P1.self).adding(P2.self).adding(P3.self).adding(P4.self)
        .adding(P5.self).adding(P6.self).adding(P7.self).adding(P8.self).adding(P9.self)
    ) { [initializer = initializer()] r in
      try await initializer(
        r.parameterAsync(), r.parameterAsync(), r.parameterAsync(), r.parameterAsync(),
        r.parameterAsync(), r.parameterAsync(), r.parameterAsync(), r.parameterAsync(),
        r.parameterAsync())
    }
  }

  @_documentation(visibility: internal) @_alwaysEmitIntoClient @discardableResult
  public func wireAsync<Product, P1, P2, P3, P4, P5, P6, P7, P8, P9, P10>(
    _ product: Product.Type, name: Name? = nil, arguments: any Sendable.Type...,
    scope: Scope<Product>? = nil, onDuplicate: DuplicatePolicy? = nil,
    with options: RegistrationOptions<Product>? = nil,
    using initializer:
      @autoclosure () -> (
        @Sendable (P1, P2, P3, P4, P5, P6, P7, P8, P9, P10) async throws -> Product
      ),
    file: StaticString = #fileID, line: UInt = #line
  ) throws -> Registration<Product> {
    try registerAsyncWired(
      product, name, arguments, scope, onDuplicate, options, file, line,
      ParameterTypes().adding(P1.self).adding(P2.self).adding(P3.self).adding(P4.self)
        .adding(P5.self).adding(P6.self).adding(P7.self).adding(P8.self).adding(P9.self)
        .adding(P10.self)
    ) { [initializer = initializer()] r in
      try await initializer(
        r.parameterAsync(), r.parameterAsync(), r.parameterAsync(), r.parameterAsync(),
        r.parameterAsync(), r.parameterAsync(), r.parameterAsync(), r.parameterAsync(),
        r.parameterAsync(), r.parameterAsync())
    }
  }

  @_documentation(visibility: internal) @_alwaysEmitIntoClient @discardableResult
  public func wireAsync<Product, P1, P2, P3, P4, P5, P6, P7, P8, P9, P10, P11>(
    _ product: Product.Type, name: Name? = nil, arguments: any Sendable.Type...,
    scope: Scope<Product>? = nil, onDuplicate: DuplicatePolicy? = nil,
    with options: RegistrationOptions<Product>? = nil,
    using initializer:
      @autoclosure () -> (
        @Sendable (P1, P2, P3, P4, P5, P6, P7, P8, P9, P10, P11) async throws -> Product
      ),
    file: StaticString = #fileID, line: UInt = #line
  ) throws -> Registration<Product> {
    try registerAsyncWired(
      product, name, arguments, scope, onDuplicate, options, file, line,
      ParameterTypes().adding(P1.self).adding(P2.self).adding(P3.self).adding(P4.self)
        .adding(P5.self).adding(P6.self).adding(P7.self).adding(P8.self).adding(P9.self)
        .adding(P10.self).adding(P11.self)
    ) { [initializer = initializer()] r in
      try await initializer(
        r.parameterAsync(), r.parameterAsync(), r.parameterAsync(), r.parameterAsync(),
        r.parameterAsync(), r.parameterAsync(), r.parameterAsync(), r.parameterAsync(),
        r.parameterAsync(), r.parameterAsync(), r.parameterAsync())
    }
  }

  @_documentation(visibility: internal) @_alwaysEmitIntoClient @discardableResult
  public func wireAsync<Product, P1, P2, P3, P4, P5, P6, P7, P8, P9, P10, P11, P12>(
    _ product: Product.Type, name: Name? = nil, arguments: any Sendable.Type...,
    scope: Scope<Product>? = nil, onDuplicate: DuplicatePolicy? = nil,
    with options: RegistrationOptions<Product>? = nil,
    using initializer:
      @autoclosure () -> (
        @Sendable (P1, P2, P3, P4, P5, P6, P7, P8, P9, P10, P11, P12) async throws -> Product
      ),
    file: StaticString = #fileID, line: UInt = #line
  ) throws -> Registration<Product> {
    try registerAsyncWired(
      product, name, arguments, scope, onDuplicate, options, file, line,
      ParameterTypes().adding(P1.self).adding(P2.self).adding(P3.self).adding(P4.self)
        .adding(P5.self).adding(P6.self).adding(P7.self).adding(P8.self).adding(P9.self)
        .adding(P10.self).adding(P11.self).adding(P12.self)
    ) { [initializer = initializer()] r in
      try await initializer(
        r.parameterAsync(), r.parameterAsync(), r.parameterAsync(), r.parameterAsync(),
        r.parameterAsync(), r.parameterAsync(), r.parameterAsync(), r.parameterAsync(),
        r.parameterAsync(), r.parameterAsync(), r.parameterAsync(), r.parameterAsync())
    }
  }
}
