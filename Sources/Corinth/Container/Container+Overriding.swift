// SPDX-License-Identifier: MIT

/// Overrides on purpose, which can be undone.
extension Container {
  /// Overrides the registration of a key, and fails if there is none.
  ///
  /// ```swift
  /// let override = try container.override(Mailer.self) { _ in RecordingMailer() }
  /// defer { override.restore() }
  /// ```
  ///
  /// Unlike
  /// ``register(_:name:scope:overridable:with:file:line:factory:)-(_,_,Scope<Product>?,_,_,_,_,_)``, it is not subject to the container's
  /// ``DuplicatePolicy``, and reports a misspelt key. Singletons that have been built keep their dependencies:
  /// override before, or in a ``fork(_:)``.
  ///
  /// - Parameters:
  ///   - product: the type that it is registered under, in this container or what it is a fork of.
  ///   - name: the name that it is registered under.
  ///   - scope: which resolves share the instances; that of the overridden registration when left out, or of the one that
  ///     it forwards to.
  ///   - hooks: actions and the like, which each instance has from the first on; see ``Hooks``.
  ///   - file: the file that messages name; the caller's when left out.
  ///   - line: the line that messages name; the caller's when left out.
  ///   - factory: builds an instance.
  /// - Returns: a token that restores the overridden registration.
  /// - Throws: ``ResolutionError/noRegistrationFound(_:)`` with similar registrations;
  ///   ``RegistrationError/alreadyRegistered(key:existing:refused:policy:)`` of one that is not overridable;
  ///   ``RegistrationError/containerClosed(key:location:)``, ``RegistrationError/containerFrozen(key:location:)``.
  /// - Complexity: O(1).
  ///
  /// Takes the container's writer lock.
  @discardableResult
  public func override<Product>(
    _ product: Product.Type, name: Name? = nil, scope: Scope<Product>? = nil,
    with hooks: Hooks<Product>? = nil, file: StaticString = #fileID, line: UInt = #line,
    factory: @escaping @Sendable (Resolver) throws -> Product
  ) throws -> Override {
    try override(
      product, RegistrationKey(product: product, name: name), scope: scope, with: hooks,
      at: SourceLocation(file: file, line: line)
    ) { FactoryRecord($0, factory: factory) }
  }

  /// Overrides a registration by an asynchronous factory:
  /// ``override(_:name:scope:with:file:line:factory:)-(_,_,_,_,_,_,(Resolver)->Product)``.
  ///
  /// ```swift
  /// let override = try container.overrideAsync(Pool.self) { _ in try await Pool.inMemory() }
  /// ```
  @discardableResult
  public func overrideAsync<Product>(
    _ product: Product.Type, name: Name? = nil, scope: Scope<Product>? = nil,
    with hooks: Hooks<Product>? = nil, file: StaticString = #fileID, line: UInt = #line,
    factory: @escaping @Sendable (Resolver) async throws -> sending Product
  ) throws -> Override {
    try override(
      product, RegistrationKey(product: product, name: name), scope: scope, with: hooks,
      at: SourceLocation(file: file, line: line)
    ) { attributes in
      AsyncFactoryRecord(attributes, hashing: nil) { resolver, _ in try await factory(resolver) }
    }
  }

  /// Overrides a registration by a value: ``override(_:name:scope:with:file:line:factory:)-(_,_,_,_,_,_,(Resolver)->Product)``.
  ///
  /// ```swift
  /// try container.override(Configuration.self, value: .test)
  /// ```
  @discardableResult
  public func override<Product: Sendable>(
    _ product: Product.Type, name: Name? = nil, value: Product,
    with hooks: Hooks<Product>? = nil, file: StaticString = #fileID, line: UInt = #line
  ) throws -> Override {
    try override(
      product, RegistrationKey(product: product, name: name), scope: .unchecked(.singleton),
      with: hooks,
      at: SourceLocation(file: file, line: line)
    ) { ValueRecord($0, value: value) }
  }

  func override<Product>(
    _ product: Product.Type, _ key: RegistrationKey, scope: Scope<Product>?,
    with hooks: Hooks<Product>?,
    at location: SourceLocation, by make: (inout RegistrationAttributes) -> RegistrationRecord
  ) throws -> Override {
    let overridden = registry.overriddenAttributes(of: key)
    var attributes = attributes(
      key, scope: scope?.erased ?? overridden?.scopeForOverride ?? .transient, isOverridable: true,
      at: location)
    attributes.isEager = (overridden?.isEager ?? false) && attributes.scope.policy.canBeEager
    if let hooks { attributes.change(by: hooks.changes) }
    let record = make(&attributes)
    if let contradiction = attributes.contradiction { throw contradiction }
    let override = Override(try registry.override(record), in: registry)
    tellBehaviors(of: Registration<Product>(container: self, attributes))
    return override
  }
}

extension ContainerCore {
  /// The attributes of a key's registration; of a forwarded one, those of the registration that makes the instances.
  fileprivate func overriddenAttributes(of key: RegistrationKey) -> RegistrationAttributes? {
    var found = ownSlot(of: key)?.registration
    // Forwards may lead in a circle.
    for _ in 0..<64 {
      guard let target = found?.forwardedKey else { break }
      found = registeredSlot(of: target)?.registration
    }
    return found?.attributes
  }
}

extension RegistrationAttributes {
  /// The scope of the overriding registration: a user's ``Instance`` is not taken over.
  fileprivate var scopeForOverride: AnyScope {
    lifecycle.customInstance == nil ? scope : .singleton
  }
}

/// An override that can be undone, see
/// ``Container/override(_:name:scope:with:file:line:factory:)-(_,_,_,_,_,_,(Resolver)->Product)``.
///
/// When the last reference to it is dropped, the override stays for good.
///
/// ## Concurrency
/// Safe to use from any thread.
public final class Override: Sendable {
  private let registry: ContainerCore
  private let overriding: Overriding

  init(_ overriding: Overriding, in registry: ContainerCore) {
    self.overriding = overriding
    self.registry = registry
  }

  deinit {
    registry.keep(overriding)
  }

  /// The key that is overridden.
  public var key: RegistrationKey { overriding.key }

  /// Puts the overridden registration back, with the instance that it had.
  ///
  /// If this override was overridden itself, the later override stays, and restoring that one restores the
  /// registration from before both. If the key was registered in another way meanwhile, or removed, nothing
  /// changes.
  ///
  /// - Returns: whether something was restored. Once only.
  /// - Complexity: O(*n*) in the number of overrides that can be undone.
  ///
  /// Takes the container's writer lock.
  @discardableResult
  public func restore() -> Bool {
    registry.undo(overriding)
  }
}
