// SPDX-License-Identifier: MIT

/// An overload per number of parameters: a factory made from a parameter pack takes 1.8 times as
/// long as a hand-written factory, with twice the text, see note 14.
///
/// The name differs from `register`: beside an overload that takes any function, the compiler
/// cannot locate a mistake in the closure of a factory. The initializer is an autoclosure's result,
/// because the compiler otherwise makes a tuple of thirteen parameters, and takes the tuple for a
/// single parameter; for initializers that cannot be wired see Container+MisusedWiring.swift.
extension Container {
  /// Registers an initializer, whose parameters are resolved by their types: up to twelve.
  ///
  /// ```swift
  /// try container.wire((any Mailer).self, using: SMTPMailer.init)
  /// ```
  ///
  /// Any function will do: a memberwise initializer, an enum's case, a free function. The
  /// parameters resolve when an instance is built, like a `resolve` of the parameter's type without
  /// a name: an optional is `nil` when nothing is registered; ``Lazy``, ``Provider``, ``Named`` and
  /// arrays need no registration of their own. Default arguments do not count: the parameter is
  /// resolved.
  ///
  /// Among several initializers, name the intended initializer: `SMTPMailer.init(host:)`.
  ///
  /// With `arguments`, the arguments of a resolve are among the dependencies. A parameter whose
  /// type is the type of the next argument takes the argument, in any position; all remaining
  /// parameters are resolved.
  ///
  /// ```swift
  /// // init(id: Int, users: any Users, role: Role)
  /// try container.wire(Session.self, arguments: Int.self, Role.self, using: Session.init)
  /// let session = try container.resolve(Session.self, arguments: 7, Role.admin)
  /// ```
  ///
  /// An element of a collection is wired under the name ``Name/element(_:file:line:)``.
  ///
  /// - Parameters:
  ///   - product: the type to resolve by.
  ///   - name: distinguishes registrations of a type.
  ///   - arguments: the types of a resolve's arguments, in the order of the parameters.
  ///   - scope: the scope of the instances; the container's ``defaultScope`` when left out,
  ///     transient with arguments. A shared scope stores an instance per value of the arguments.
  ///   - onDuplicate: the treatment of a key that is registered already; the container's
  ///     ``duplicates`` when left out.
  ///   - options: actions and the like, which every instance has from the start; see
  ///     ``RegistrationOptions``.
  ///   - initializer: builds an instance from the dependencies. May throw.
  ///   - file: the file that messages name; the caller's when left out.
  ///   - line: the line that messages name; the caller's when left out.
  /// - Returns: the registration, for modifiers such as ``Registration/implements(_:)``.
  /// - Throws: ``RegistrationError/alreadyRegistered(key:existing:refused:policy:)``,
  ///   ``RegistrationError/argumentNotTaken(key:argument:location:)`` if no parameter takes an
  ///   argument, ``RegistrationError/scopeRefusesArguments(key:scope:location:)``,
  ///   ``RegistrationError/weakRequiresClass(key:location:)``.
  /// - Complexity: O(1) amortized.
  ///
  /// Takes the container's writer lock.
  @_alwaysEmitIntoClient @discardableResult
  public func wire<Product>(
    _ product: Product.Type, name: Name? = nil, arguments: any Any.Type...,
    scope: Scope<Product>? = nil, onDuplicate: DuplicatePolicy? = nil,
    with options: RegistrationOptions<Product>? = nil,
    using initializer: @autoclosure () -> (@Sendable () throws -> Product),
    file: StaticString = #fileID, line: UInt = #line
  ) throws -> Registration<Product> {
    try registerWired(
      product, name, arguments, scope, onDuplicate, options, file, line,
      ParameterTypes()
    ) { [initializer = initializer()] _ in try initializer() }
  }

  @_documentation(visibility: internal) @_alwaysEmitIntoClient @discardableResult
  public func wire<Product, P1>(
    _ product: Product.Type, name: Name? = nil, arguments: any Any.Type...,
    scope: Scope<Product>? = nil, onDuplicate: DuplicatePolicy? = nil,
    with options: RegistrationOptions<Product>? = nil,
    using initializer: @autoclosure () -> (@Sendable (P1) throws -> Product),
    file: StaticString = #fileID, line: UInt = #line
  ) throws -> Registration<Product> {
    try registerWired(
      product, name, arguments, scope, onDuplicate, options, file, line,
      ParameterTypes().adding(P1.self)
    ) { [initializer = initializer()] r in try initializer(r.parameter()) }
  }

  @_documentation(visibility: internal) @_alwaysEmitIntoClient @discardableResult
  public func wire<Product, P1, P2>(
    _ product: Product.Type, name: Name? = nil, arguments: any Any.Type...,
    scope: Scope<Product>? = nil, onDuplicate: DuplicatePolicy? = nil,
    with options: RegistrationOptions<Product>? = nil,
    using initializer: @autoclosure () -> (@Sendable (P1, P2) throws -> Product),
    file: StaticString = #fileID, line: UInt = #line
  ) throws -> Registration<Product> {
    try registerWired(
      product, name, arguments, scope, onDuplicate, options, file, line,
      ParameterTypes().adding(P1.self).adding(P2.self)
    ) { [initializer = initializer()] r in try initializer(r.parameter(), r.parameter()) }
  }

  @_documentation(visibility: internal) @_alwaysEmitIntoClient @discardableResult
  public func wire<Product, P1, P2, P3>(
    _ product: Product.Type, name: Name? = nil, arguments: any Any.Type...,
    scope: Scope<Product>? = nil, onDuplicate: DuplicatePolicy? = nil,
    with options: RegistrationOptions<Product>? = nil,
    using initializer: @autoclosure () -> (@Sendable (P1, P2, P3) throws -> Product),
    file: StaticString = #fileID, line: UInt = #line
  ) throws -> Registration<Product> {
    try registerWired(
      product, name, arguments, scope, onDuplicate, options, file, line,
      ParameterTypes().adding(P1.self).adding(P2.self).adding(P3.self)
    ) { [initializer = initializer()] r in
      try initializer(r.parameter(), r.parameter(), r.parameter())
    }
  }

  @_documentation(visibility: internal) @_alwaysEmitIntoClient @discardableResult
  public func wire<Product, P1, P2, P3, P4>(
    _ product: Product.Type, name: Name? = nil, arguments: any Any.Type...,
    scope: Scope<Product>? = nil, onDuplicate: DuplicatePolicy? = nil,
    with options: RegistrationOptions<Product>? = nil,
    using initializer: @autoclosure () -> (@Sendable (P1, P2, P3, P4) throws -> Product),
    file: StaticString = #fileID, line: UInt = #line
  ) throws -> Registration<Product> {
    try registerWired(
      product, name, arguments, scope, onDuplicate, options, file, line,
      ParameterTypes().adding(P1.self).adding(P2.self).adding(P3.self).adding(P4.self)
    ) { [initializer = initializer()] r in
      try initializer(r.parameter(), r.parameter(), r.parameter(), r.parameter())
    }
  }

  @_documentation(visibility: internal) @_alwaysEmitIntoClient @discardableResult
  public func wire<Product, P1, P2, P3, P4, P5>(
    _ product: Product.Type, name: Name? = nil, arguments: any Any.Type...,
    scope: Scope<Product>? = nil, onDuplicate: DuplicatePolicy? = nil,
    with options: RegistrationOptions<Product>? = nil,
    using initializer: @autoclosure () -> (@Sendable (P1, P2, P3, P4, P5) throws -> Product),
    file: StaticString = #fileID, line: UInt = #line
  ) throws -> Registration<Product> {
    try registerWired(
      product, name, arguments, scope, onDuplicate, options, file, line,
      ParameterTypes().adding(P1.self).adding(P2.self).adding(P3.self).adding(P4.self)
        .adding(P5.self)
    ) { [initializer = initializer()] r in
      try initializer(r.parameter(), r.parameter(), r.parameter(), r.parameter(), r.parameter())
    }
  }

  @_documentation(visibility: internal) @_alwaysEmitIntoClient @discardableResult
  public func wire<Product, P1, P2, P3, P4, P5, P6>(
    _ product: Product.Type, name: Name? = nil, arguments: any Any.Type...,
    scope: Scope<Product>? = nil, onDuplicate: DuplicatePolicy? = nil,
    with options: RegistrationOptions<Product>? = nil,
    using initializer: @autoclosure () -> (@Sendable (P1, P2, P3, P4, P5, P6) throws -> Product),
    file: StaticString = #fileID, line: UInt = #line
  ) throws -> Registration<Product> {
    try registerWired(
      product, name, arguments, scope, onDuplicate, options, file, line,
      ParameterTypes().adding(P1.self).adding(P2.self).adding(P3.self).adding(P4.self)
        .adding(P5.self).adding(P6.self)
    ) { [initializer = initializer()] r in
      try initializer(
        r.parameter(), r.parameter(), r.parameter(), r.parameter(), r.parameter(), r.parameter())
    }
  }

  @_documentation(visibility: internal) @_alwaysEmitIntoClient @discardableResult
  public func wire<Product, P1, P2, P3, P4, P5, P6, P7>(
    _ product: Product.Type, name: Name? = nil, arguments: any Any.Type...,
    scope: Scope<Product>? = nil, onDuplicate: DuplicatePolicy? = nil,
    with options: RegistrationOptions<Product>? = nil,
    using initializer:
      @autoclosure () -> (@Sendable (P1, P2, P3, P4, P5, P6, P7) throws -> Product),
    file: StaticString = #fileID, line: UInt = #line
  ) throws -> Registration<Product> {
    try registerWired(
      product, name, arguments, scope, onDuplicate, options, file, line,
      ParameterTypes().adding(P1.self).adding(P2.self).adding(P3.self).adding(P4.self)
        .adding(P5.self).adding(P6.self).adding(P7.self)
    ) { [initializer = initializer()] r in
      try initializer(
        r.parameter(), r.parameter(), r.parameter(), r.parameter(), r.parameter(), r.parameter(),
        r.parameter())
    }
  }

  @_documentation(visibility: internal) @_alwaysEmitIntoClient @discardableResult
  public func wire<Product, P1, P2, P3, P4, P5, P6, P7, P8>(
    _ product: Product.Type, name: Name? = nil, arguments: any Any.Type...,
    scope: Scope<Product>? = nil, onDuplicate: DuplicatePolicy? = nil,
    with options: RegistrationOptions<Product>? = nil,
    using initializer:
      @autoclosure () -> (@Sendable (P1, P2, P3, P4, P5, P6, P7, P8) throws -> Product),
    file: StaticString = #fileID, line: UInt = #line
  ) throws -> Registration<Product> {
    try registerWired(
      product, name, arguments, scope, onDuplicate, options, file, line,
      ParameterTypes().adding(P1.self).adding(P2.self).adding(P3.self).adding(P4.self)
        .adding(P5.self).adding(P6.self).adding(P7.self).adding(P8.self)
    ) { [initializer = initializer()] r in
      try initializer(
        r.parameter(), r.parameter(), r.parameter(), r.parameter(), r.parameter(), r.parameter(),
        r.parameter(), r.parameter())
    }
  }

  @_documentation(visibility: internal) @_alwaysEmitIntoClient @discardableResult
  public func wire<Product, P1, P2, P3, P4, P5, P6, P7, P8, P9>(
    _ product: Product.Type, name: Name? = nil, arguments: any Any.Type...,
    scope: Scope<Product>? = nil, onDuplicate: DuplicatePolicy? = nil,
    with options: RegistrationOptions<Product>? = nil,
    using initializer:
      @autoclosure () -> (@Sendable (P1, P2, P3, P4, P5, P6, P7, P8, P9) throws -> Product),
    file: StaticString = #fileID, line: UInt = #line
  ) throws -> Registration<Product> {
    try registerWired(
      product, name, arguments, scope, onDuplicate, options, file, line,
      ParameterTypes().adding(P1.self).adding(P2.self).adding(P3.self).adding(P4.self)
        .adding(P5.self).adding(P6.self).adding(P7.self).adding(P8.self).adding(P9.self)
    ) { [initializer = initializer()] r in
      try initializer(
        r.parameter(), r.parameter(), r.parameter(), r.parameter(), r.parameter(), r.parameter(),
        r.parameter(), r.parameter(), r.parameter())
    }
  }

  @_documentation(visibility: internal) @_alwaysEmitIntoClient @discardableResult
  public func wire<Product, P1, P2, P3, P4, P5, P6, P7, P8, P9, P10>(
    _ product: Product.Type, name: Name? = nil, arguments: any Any.Type...,
    scope: Scope<Product>? = nil, onDuplicate: DuplicatePolicy? = nil,
    with options: RegistrationOptions<Product>? = nil,
    using initializer:
      @autoclosure () -> (@Sendable (P1, P2, P3, P4, P5, P6, P7, P8, P9, P10) throws -> Product),
    file: StaticString = #fileID, line: UInt = #line
  ) throws -> Registration<Product> {
    try registerWired(
      product, name, arguments, scope, onDuplicate, options, file, line,
      ParameterTypes().adding(P1.self).adding(P2.self).adding(P3.self).adding(P4.self)
        .adding(P5.self).adding(P6.self).adding(P7.self).adding(P8.self).adding(P9.self)
        .adding(P10.self)
    ) { [initializer = initializer()] r in
      try initializer(
        r.parameter(), r.parameter(), r.parameter(), r.parameter(), r.parameter(), r.parameter(),
        r.parameter(), r.parameter(), r.parameter(), r.parameter())
    }
  }

  @_documentation(visibility: internal) @_alwaysEmitIntoClient @discardableResult
  public func wire<Product, P1, P2, P3, P4, P5, P6, P7, P8, P9, P10, P11>(
    _ product: Product.Type, name: Name? = nil, arguments: any Any.Type...,
    scope: Scope<Product>? = nil, onDuplicate: DuplicatePolicy? = nil,
    with options: RegistrationOptions<Product>? = nil,
    using initializer:
      @autoclosure () -> (
        @Sendable (P1, P2, P3, P4, P5, P6, P7, P8, P9, P10, P11) throws -> Product
      ),
    file: StaticString = #fileID, line: UInt = #line
  ) throws -> Registration<Product> {
    try registerWired(
      product, name, arguments, scope, onDuplicate, options, file, line,
      ParameterTypes().adding(P1.self).adding(P2.self).adding(P3.self).adding(P4.self)
        .adding(P5.self).adding(P6.self).adding(P7.self).adding(P8.self).adding(P9.self)
        .adding(P10.self).adding(P11.self)
    ) { [initializer = initializer()] r in
      try initializer(
        r.parameter(), r.parameter(), r.parameter(), r.parameter(), r.parameter(), r.parameter(),
        r.parameter(), r.parameter(), r.parameter(), r.parameter(), r.parameter())
    }
  }

  @_documentation(visibility: internal) @_alwaysEmitIntoClient @discardableResult
  public func wire<Product, P1, P2, P3, P4, P5, P6, P7, P8, P9, P10, P11, P12>(
    _ product: Product.Type, name: Name? = nil, arguments: any Any.Type...,
    scope: Scope<Product>? = nil, onDuplicate: DuplicatePolicy? = nil,
    with options: RegistrationOptions<Product>? = nil,
    using initializer:
      @autoclosure () -> (
        @Sendable (P1, P2, P3, P4, P5, P6, P7, P8, P9, P10, P11, P12) throws -> Product
      ),
    file: StaticString = #fileID, line: UInt = #line
  ) throws -> Registration<Product> {
    try registerWired(
      product, name, arguments, scope, onDuplicate, options, file, line,
      ParameterTypes().adding(P1.self).adding(P2.self).adding(P3.self).adding(P4.self)
        .adding(P5.self).adding(P6.self).adding(P7.self).adding(P8.self).adding(P9.self)
        .adding(P10.self).adding(P11.self).adding(P12.self)
    ) { [initializer = initializer()] r in
      try initializer(
        r.parameter(), r.parameter(), r.parameter(), r.parameter(), r.parameter(), r.parameter(),
        r.parameter(), r.parameter(), r.parameter(), r.parameter(), r.parameter(), r.parameter())
    }
  }
}
