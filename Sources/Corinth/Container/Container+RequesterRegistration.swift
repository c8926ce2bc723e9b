// SPDX-License-Identifier: MIT

extension Container {
  /// Registers a factory that is told who asks, so that it can serve each requester an instance of its own.
  ///
  /// ```swift
  /// try container.registerPerRequester(Logger.self) { resolver, requester in
  ///   Logger(label: requester.map { "\($0.product)" } ?? "root")
  /// }
  /// ```
  ///
  /// The requester is the key of the registration whose factory, action or decorator asks: by its resolver, or by a
  /// container while it runs. Forwards, collections, optionals, providers and lazy values are passed over. It is `nil` if
  /// nothing is being built. A factory that runs while this is registered may not be told as a requester.
  ///
  /// A ``Provider``, a ``Lazy`` and an ``Injected`` property ask when they are used, as a container does. The requester is
  /// then the registration whose factory uses them, not the one whose instance stores them, and there is none outside of
  /// factories.
  /// A class that is to have an instance of its own takes it as a parameter.
  ///
  /// The instances are transient: one that is shared has many requesters, and a scope that shares makes the registration
  /// invalid, ``RegistrationError/sharingRefusesRequester(key:location:)``. From the first such registration on, each transient
  /// of the container, its ancestors, their children and scopes takes longer, as it notes what it is.
  ///
  /// - Parameters:
  ///   - product: the type to resolve by.
  ///   - name: distinguishes registrations of the same type.
  ///   - onDuplicate: what is done if the key is registered already; the container's ``duplicates`` when left out.
  ///   - hooks: actions and the like, which each instance has from the first on; see ``Hooks``.
  ///   - file: the file that messages name; the caller's when left out.
  ///   - line: the line that messages name; the caller's when left out.
  ///   - factory: builds an instance, given the requester's key. It may resolve and register, and may throw.
  /// - Returns: the registration, for modifiers such as ``Registration/implements(_:)``.
  /// - Throws: ``RegistrationError/alreadyRegistered(key:existing:refused:policy:)``,
  ///   ``RegistrationError/sharingRefusesRequester(key:location:)``.
  /// - Complexity: O(1) amortised.
  ///
  /// Takes the container's writer lock.
  @discardableResult
  public func registerPerRequester<Product>(
    _ product: Product.Type, name: Name? = nil, onDuplicate: DuplicatePolicy? = nil,
    with hooks: Hooks<Product>? = nil, file: StaticString = #fileID, line: UInt = #line,
    factory: @escaping @Sendable (Resolver, RegistrationKey?) throws -> Product
  ) throws -> Registration<Product> {
    var attributes = attributes(
      RegistrationKey(product: product, name: name), scope: .transient, isScopeGiven: false,
      onDuplicate, with: hooks?.changes, at: SourceLocation(file: file, line: line))
    attributes.takesRequester = true
    if let contradiction = attributes.contradiction { throw contradiction }
    registry.trackRequesters()
    return try register(
      FactoryRecord(consume attributes) { resolver in
        try factory(resolver, resolver.construction?.requesterKey)
      })
  }
}
