// SPDX-License-Identifier: MIT

extension Container {
  /// Registers a factory under a type and, if given, a name.
  ///
  /// ```swift
  /// try container.register(
  ///   Database.self, name: "mysql", scope: .singleton, with: .onDispose { try $0.close() }
  /// ) { resolver in
  ///   MySQL(log: try resolver.resolve(Logger.self))
  /// }
  /// ```
  ///
  /// A registration of the same key is overridden: resolves that have begun may still return its
  /// instances, later ones do not.
  ///
  /// - Parameters:
  ///   - product: the type to resolve by: a class, struct, enum, actor, protocol, function, tuple.
  ///   - name: distinguishes registrations of the same type.
  ///   - scope: which resolves share the instances; the container's ``defaultScope`` when left out.
  ///   - onDuplicate: what is done if the key is registered already; the container's ``duplicates`` when left out.
  ///   - hooks: actions and the like, which each instance has from the first on; see ``Hooks``.
  ///   - file: the file that messages name; the caller's when left out.
  ///   - line: the line that messages name; the caller's when left out.
  ///   - factory: builds an instance. It may resolve and register, and may throw.
  /// - Returns: the registration, for modifiers such as ``Registration/implements(_:)``.
  /// - Throws: ``RegistrationError/alreadyRegistered(key:existing:refused:policy:)``,
  ///   ``RegistrationError/weakRequiresClass(key:location:)``.
  /// - Complexity: O(1) amortised.
  ///
  /// Takes the container's writer lock.
  @discardableResult
  public func register<Product>(
    _ product: Product.Type, name: Name? = nil, scope: Scope<Product>? = nil,
    onDuplicate: DuplicatePolicy? = nil, with hooks: Hooks<Product>? = nil,
    file: StaticString = #fileID, line: UInt = #line,
    factory: @escaping @Sendable (Resolver) throws -> Product
  ) throws -> Registration<Product> {
    let attributes = attributes(
      RegistrationKey(product: product, name: name), scope: scope?.erased, onDuplicate,
      with: hooks?.changes, at: SourceLocation(file: file, line: line))
    return try register(FactoryRecord(consume attributes, factory: factory))
  }

  /// The attributes of a registration, changed by its hooks: before any thread can see it. Not generic, as each call would
  /// look for the types of the scope and the hooks.
  ///
  /// - Parameter scope: which resolves share the instances. When left out, that of the registration that must be there, or
  ///   the fallback, or the container's default; factories with arguments are transient.
  /// - Parameter isScopeGiven: whether it was the caller who named the scope.
  @inline(never)
  func attributes(
    _ key: consuming RegistrationKey, scope: AnyScope?, isScopeGiven: Bool = true,
    _ onDuplicate: DuplicatePolicy? = nil, otherwise fallback: AnyScope? = nil,
    hasHashableArguments: Bool = true, with changes: [AttributeChange]? = nil,
    at location: SourceLocation
  ) -> RegistrationAttributes {
    let required =
      (onDuplicate ?? duplicates) == .require ? registry.overridden(key) : nil
    let scopeUsed =
      scope ?? required?.scope
      ?? fallback ?? (key.arguments == nil ? defaultScope.erased : .transient)
    let isEager = required?.isEager ?? false && scopeUsed.policy.canBeEager
    // Made in one piece: a variable would be copied when it is returned.
    let attributes = RegistrationAttributes(
      key: consume key, scope: consume scopeUsed, onDuplicate: onDuplicate, isEager: isEager,
      isScopeGiven: isScopeGiven && scope != nil, hasHashableArguments: hasHashableArguments,
      location: location, owner: registry)
    guard let changes else { return attributes }
    return attributes.changed(by: changes)
  }

  func register<Product>(_ record: RegistrationRecord) throws -> Registration<Product> {
    if record.attributes.mayContradict, let contradiction = record.attributes.contradiction {
      throw contradiction
    }
    let (isDone, overriding) = try registry.register(record)
    let registration = Registration<Product>(container: self, record, overriding)
    if isDone, Composition.isUsed { tellBehaviors(of: registration) }
    return registration
  }

  /// Tells the behaviours of a registration that has been made.
  func tellBehaviors<Product>(of registration: Registration<Product>) {
    for case let listener as any RegistrationListener in registry.observers.map(\.behavior) {
      Observation.call { listener.didRegister(registration) }
    }
  }
}
