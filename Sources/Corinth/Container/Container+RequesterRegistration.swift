// SPDX-License-Identifier: MIT

extension Container {
  /// Registers a factory that receives the requester, to serve every requester an instance of its
  /// own.
  ///
  /// ```swift
  /// try container.registerPerRequester(Logger.self) { resolver, requester in
  ///   Logger(label: requester.map { "\($0.product)" } ?? "root")
  /// }
  /// ```
  ///
  /// The requester is the key of the registration whose factory, action or decorator asks: by the
  /// resolver, or by a container while running. Forwards, collections, optionals, providers and
  /// lazy values are passed over. The requester is `nil` if nothing is being built. A factory that
  /// is already running during this call may not be reported as a requester.
  ///
  /// A ``Provider``, a ``Lazy`` and an ``Injected`` property ask when used, as a container does.
  /// The requester is then the registration whose factory uses the value, not the registration
  /// whose instance stores the value; outside of factories the requester is `nil`. A class that
  /// needs an instance of its own takes the instance as a parameter.
  ///
  /// The instances are transient: a shared instance has many requesters, and a shared scope makes
  /// the registration invalid, ``RegistrationError/sharingRefusesRequester(key:location:)``. From
  /// the first per-requester registration on, every transient of the container, its ancestors,
  /// their children and scopes takes longer, to note its own key.
  ///
  /// - Parameters:
  ///   - product: the type to resolve by.
  ///   - name: distinguishes registrations of a type.
  ///   - onDuplicate: the treatment of a key that is registered already; the container's
  ///     ``duplicates`` when left out.
  ///   - options: actions and the like, which every instance has from the start; see
  ///     ``RegistrationOptions``.
  ///   - file: the file that messages name; the caller's when left out.
  ///   - line: the line that messages name; the caller's when left out.
  ///   - factory: builds an instance, given the requester's key. May resolve and register, and may
  ///     throw.
  /// - Returns: the registration, for modifiers such as ``Registration/implements(_:)``.
  /// - Throws: ``RegistrationError/alreadyRegistered(key:existing:refused:policy:)``,
  ///   ``RegistrationError/sharingRefusesRequester(key:location:)``.
  /// - Complexity: O(1) amortized.
  ///
  /// Takes the container's writer lock.
  @discardableResult
  public func registerPerRequester<Product>(
    _ product: Product.Type, name: Name? = nil, onDuplicate: DuplicatePolicy? = nil,
    with options: RegistrationOptions<Product>? = nil, file: StaticString = #fileID,
    line: UInt = #line,
    factory: @escaping @Sendable (Resolver, RegistrationKey?) throws -> Product
  ) throws -> Registration<Product> {
    let attributes = attributes(
      RegistrationKey(product: product, name: name), scope: .transient, isScopeGiven: false,
      onDuplicate, taking: .requester, with: options?.changes,
      at: SourceLocation(file: file, line: line))
    if let contradiction = attributes.contradiction { throw contradiction }
    registry.trackRequesters()
    return try register(
      FactoryRecord(consume attributes) { resolver in
        try factory(resolver, resolver.construction?.requesterKey)
      })
  }
}
