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
  /// A registration of an equal key is overridden: resolves that have begun may still return the
  /// overridden registration's instances, later resolves do not.
  ///
  /// - Parameters:
  ///   - product: the type to resolve by: a class, struct, enum, actor, protocol, function, tuple.
  ///   - name: distinguishes registrations of a type.
  ///   - scope: the scope of the instances; the container's ``defaultScope`` when left out.
  ///   - onDuplicate: the treatment of a key that is registered already; the container's
  ///     ``duplicates`` when left out.
  ///   - options: actions and the like, which every instance has from the start; see
  ///     ``RegistrationOptions``.
  ///   - file: the file that messages name; the caller's when left out.
  ///   - line: the line that messages name; the caller's when left out.
  ///   - factory: builds an instance. May resolve and register, and may throw.
  /// - Returns: the registration, for modifiers such as ``Registration/implements(_:)``.
  /// - Throws: ``RegistrationError/alreadyRegistered(key:existing:refused:policy:)``,
  ///   ``RegistrationError/weakRequiresClass(key:location:)``.
  /// - Complexity: O(1) amortized.
  ///
  /// Takes the container's writer lock.
  @discardableResult
  public func register<Product>(
    _ product: Product.Type, name: Name? = nil, scope: Scope<Product>? = nil,
    onDuplicate: DuplicatePolicy? = nil, with options: RegistrationOptions<Product>? = nil,
    file: StaticString = #fileID, line: UInt = #line,
    factory: @escaping @Sendable (Resolver) throws -> Product
  ) throws -> Registration<Product> {
    let attributes = attributes(
      RegistrationKey(product: product, name: name), scope: scope?.erased, isScopeGiven: true,
      onDuplicate, with: options?.changes,
      at: SourceLocation(file: file, line: line))
    return try register(FactoryRecord(consume attributes, factory: factory))
  }

  /// The attributes of a registration, changed by the options before any thread can see the
  /// registration.
  ///
  /// - Parameter scope: the scope of the instances. When left out, the scope of the registration
  ///   that a required override finds, or the fallback, or the container's default; factories with
  ///   arguments are transient.
  /// - Parameter isScopeGiven: whether the caller has named the scope.
  @inline(__always)
  func attributes(
    _ key: RegistrationKey, scope: AnyScope?, isScopeGiven: Bool = true,
    _ onDuplicate: DuplicatePolicy? = nil, otherwise fallback: AnyScope? = nil,
    taking intake: consuming RegistrationAttributes.Intake = .nothing,
    with changes: [AttributeChange]? = nil,
    at location: SourceLocation
  ) -> RegistrationAttributes {
    attributes(
      of: key.product, key.name, key.arguments, scope, isScopeGiven, onDuplicate, fallback,
      consume intake, changes, location)
  }

  // The key in its parts: a copy of a whole key is a call. Not generic: every call would look for
  // the types of the scope and the options.
  @inline(never)
  private func attributes(
    of product: any Any.Type, _ name: Name?, _ arguments: (any Any.Type)?, _ scope: AnyScope?,
    _ isScopeGiven: Bool, _ onDuplicate: DuplicatePolicy?, _ fallback: AnyScope?,
    _ intake: consuming RegistrationAttributes.Intake, _ changes: [AttributeChange]?,
    _ location: SourceLocation
  ) -> RegistrationAttributes {
    var scopeUsed = scope ?? fallback ?? (arguments == nil ? defaultScope.erased : .transient)
    var isEager = false
    if (onDuplicate ?? duplicates) == .require,
      let required = registry.overridden(
        RegistrationKey(product: product, name: name, arguments: arguments))
    {
      if scope == nil { scopeUsed = required.scope }
      isEager = required.isEager && scopeUsed.policy.isPublishedToSlot
    }
    // Made in a single expression: a variable would be copied upon return.
    return RegistrationAttributes(
      key: RegistrationKey(product: product, name: name, arguments: arguments),
      scope: consume scopeUsed, onDuplicate: onDuplicate, isEager: isEager,
      by: isScopeGiven && scope != nil ? .registrationInScope : .registration,
      taking: consume intake, location: location, owner: registry, with: changes)
  }

  func register<Product>(_ record: RegistrationRecord) throws -> Registration<Product> {
    if record.attributes.mayContradict, let contradiction = record.attributes.contradiction {
      throw contradiction
    }
    #if DEBUG
      let former = AssembledRegistration(of: record.key, in: registry)
    #endif
    let (isDone, override) = try registry.register(record)
    #if DEBUG
      if isDone { former?.noteOverride(by: record, in: registry) }
    #endif
    if isDone, Composition.isUsed {
      tellBehaviors(of: Registration<Product>(container: self, record, override))
    }
    // Made last: a variable would be copied upon return.
    return Registration(container: self, record, override)
  }

  /// Notifies the behaviors of a completed registration.
  func tellBehaviors<Product>(of registration: Registration<Product>) {
    for observer in registry.observers {
      guard let listener = observer.behavior as? any RegistrationListener else { continue }
      Observation.call(isDirect: observer.isDirect) { listener.didRegister(registration) }
    }
  }
}
