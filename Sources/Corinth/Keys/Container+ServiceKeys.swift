// SPDX-License-Identifier: MIT

extension Container {
  /// Registers a factory under a key, in place of the key's default.
  ///
  /// ```swift
  /// try fork.register(App.mailer) { _ in FakeMailer() }
  /// ```
  ///
  /// The policy for duplicates decides between the registrations made under the key. The default
  /// is none of these: a registration takes its place, used or not, also under
  /// ``DuplicatePolicy/refuse`` and ``DuplicatePolicy/keep``. ``DuplicatePolicy/require`` finds the
  /// default. `fork.unregister(App.mailer)` removes the registration, and the default serves again.
  ///
  /// - Parameters:
  ///   - key: the key.
  ///   - scope: the scope of the instances; the scope of the key when left out.
  ///   - onDuplicate: the treatment of a key that is registered already; the container's
  ///     ``duplicates`` when left out.
  ///   - options: actions and the like; those of the key are for the default alone.
  ///   - file: the file that messages name; the caller's when left out.
  ///   - line: the line that messages name; the caller's when left out.
  ///   - factory: builds an instance.
  /// - Returns: the registration, for modifiers.
  /// - Throws: the errors of `register(_:name:scope:onDuplicate:with:file:line:factory:)`.
  /// - Complexity: O(1) amortized.
  ///
  /// Takes the container's writer lock.
  @_disfavoredOverload
  @discardableResult
  public func register<Product>(
    _ key: ServiceKey<Product>, scope: Scope<Product>? = nil,
    onDuplicate: DuplicatePolicy? = nil, with options: RegistrationOptions<Product>? = nil,
    file: StaticString = #fileID, line: UInt = #line,
    factory: @escaping @Sendable (Resolver) throws -> Product
  ) throws -> Registration<Product> {
    let attributes = attributes(
      of: key.declaration, scope?.erased, onDuplicate, options?.changes,
      at: SourceLocation(file: file, line: line))
    return try register(FactoryRecord(attributes, factory: factory))
  }

  /// The attributes of a registration under a key.
  func attributes(
    of declaration: KeyDeclaration, _ scope: AnyScope?, _ onDuplicate: DuplicatePolicy?,
    _ changes: [AttributeChange]?, at location: SourceLocation
  ) -> RegistrationAttributes {
    let key = declaration.key
    // A required override finds a default that nobody has used, too.
    if onDuplicate ?? duplicates == .require { _ = registry.registeredSlot(of: key) }
    return attributes(
      key, scope: scope, onDuplicate, otherwise: declaration.scope, with: changes, at: location)
  }

  /// Whether a registration has taken the place of a key's default, here or in a parent.
  ///
  /// The default does not count, used or not.
  ///
  /// - Complexity: O(1).
  ///
  /// Wait-free, save while the registry grows.
  public func contains(_ key: some ServiceKeyProtocol) -> Bool {
    let key = key.key
    return withExtendedLifetime(key) {
      let slot = registry.explicitSlot(of: KeyWords(key))
      return slot?.withRegistration(\.attributes.isDefault) == false
    }
  }

  /// Removes the registration that has taken the place of a default: the default serves again.
  ///
  /// ```swift
  /// fork.unregister(App.mailer)
  /// ```
  ///
  /// - Returns: whether a registration was present. The default does not count, and stays.
  /// - Complexity: O(1).
  ///
  /// Takes the container's writer lock.
  @discardableResult
  public func unregister(_ key: some ServiceKeyProtocol) -> Bool {
    let key = key.key
    let isDefault = registry.ownSlot(of: key)?.withRegistration(\.attributes.isDefault)
    return isDefault == false && registry.unregister(key)
  }

  /// Releases the stored instance of a part, of a singleton, weak, cached or custom registration or
  /// default in this container: the next resolve builds again.
  ///
  /// References that callers hold stay valid. Resolves that have begun may still return the
  /// instance.
  ///
  /// - Returns: whether an instance was present, or under construction.
  /// - Complexity: O(1).
  ///
  /// Takes the container's writer lock.
  @discardableResult
  public func release(_ key: some ServiceKeyProtocol) -> Bool {
    registry.releaseInstance(of: key.key)
  }
}

extension Container {
  /// Wraps every instance of a part that is built from now on, and no other instance of its type.
  ///
  /// ```swift
  /// try container.decorate(App.mailer) { mailer, resolver in
  ///   LoggedMailer(mailer, log: try resolver.resolve(App.log))
  /// }
  /// ```
  ///
  /// Works like ``decorate(_:file:line:with:)``.
  ///
  /// - Returns: a token that removes the decorator.
  /// - Throws: ``RegistrationError/containerClosed(key:location:)``,
  ///   ``RegistrationError/containerFrozen(key:location:)``.
  /// - Complexity: O(*n*) in the number of keys ever registered, here and in the ancestors.
  ///
  /// Takes the writer locks of this container and its ancestors, in sequence.
  @_disfavoredOverload
  @discardableResult
  public func decorate<Product>(
    _ key: some ServiceKeyProtocol<Product>, file: StaticString = #fileID, line: UInt = #line,
    with decorator: @escaping @Sendable (Product, Resolver) throws -> Product
  ) throws -> Decoration {
    try decorate(
      Product.self, only: key.key, at: SourceLocation(file: file, line: line), with: decorator)
  }

  /// Finds all problems in the registrations at once, as ``validate(roots:inputs:strictly:)`` with
  /// the given keys as the roots. No factory runs.
  ///
  /// ```swift
  /// try container.validate(keys: [App.server, App.worker])
  /// ```
  ///
  /// The defaults of the keys are checked, used or not, and registered. What a closure resolves is
  /// unknown until the closure runs: ``validate(building:roots:strictly:providing:)``, called next,
  /// builds the defaults, and those that they resolve.
  ///
  /// - Parameters:
  ///   - keys: the keys that the program itself resolves.
  ///   - inputs: the types given to every request scope; all declared inputs when left out.
  ///   - strictly: whether a registration with unknown dependencies is a finding too.
  /// - Returns: a report without findings.
  /// - Throws: ``RegistrationError/validationFailed(_:)`` with all findings;
  ///   ``ResolutionError/containerClosed(_:)``.
  /// - Complexity: as for ``validate(roots:inputs:strictly:)``.
  @discardableResult
  public func validate(
    keys: [any ServiceKeyProtocol], inputs: [any Any.Type]? = nil, strictly: Bool = false
  ) throws -> ValidationReport {
    let keys = keys.map { $0.key }
    for key in keys { _ = registry.registeredSlot(of: key) }
    return try validate(roots: .keys(keys), inputs: inputs, strictly: strictly)
  }
}

extension Injected {
  /// Makes a property that resolves a declared part.
  ///
  /// ```swift
  /// final class Checkout {
  ///   @Injected(App.mailer) var mailer: any Mailer
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - key: the key of the part.
  ///   - mode: when the container is found, and the value resolved.
  ///   - policy: finds the container: ``Container/lookupPolicy`` when left out.
  ///   - file: the file of the property, for messages.
  ///   - line: the line of the property.
  @_disfavoredOverload
  public init(
    _ key: ServiceKey<Value>, _ mode: InjectionMode = .captured, from policy: LookupPolicy? = nil,
    file: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(mode, name: key.key.name, from: policy, file: file, line: line)
  }
}
