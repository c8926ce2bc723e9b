// SPDX-License-Identifier: MIT

extension Container {
  /// Overrides a registration that is in use: builds the new instance first, then publishes it.
  ///
  /// ```swift
  /// try await container.replace(Pool.self) { resolver in
  ///   try await Pool.connect(try await resolver.resolveAsync(Config.self))
  /// }
  /// ```
  ///
  /// `registerAsync` publishes a registration without an instance. Until the instance is built, a
  /// synchronous resolve throws ``ResolutionError/asyncResolutionRequired(_:)``. With `replace`,
  /// every resolve gets the old instance or the new instance. A failure changes nothing.
  ///
  /// The new registration has the scope, the actions and the disposers of the old registration. An
  /// asynchronous factory makes an asynchronous registration: every resolve gets the present
  /// instance, but only `resolveAsync` can build again, after a release or in a fork. A factory
  /// that does not await makes a registration whose instances any resolve can build, see
  /// ``replace(_:name:disposingOfOld:with:file:line:factory:)-(_,_,_,_,_,_,(Resolver)->Product)``.
  ///
  /// The factory finds the old instance under the replaced key. Only singletons and cached
  /// instances without arguments are built first; other registrations are just overridden. When
  /// several replacements run at once, the replacement built last stays.
  ///
  /// - Parameters:
  ///   - product: the registered type, in this container.
  ///   - name: the registered name.
  ///   - disposingOfOld: whether the old instance is disposed of after the replacement, as by
  ///     ``release(_:name:arguments:disposing:timeLimit:)-8zw9r``, although callers may still be
  ///     using the instance. Otherwise the old instance is released, and reported to
  ///     ``onUndisposed`` if the instance has disposers.
  ///   - options: the additional options of the new registration, beside the actions of the old
  ///     registration. The dependencies belong to the factory: declare them to a
  ///     ``ReloadableContainer`` again, by `dependsOn`.
  ///   - file: the file that messages name; the caller's when left out.
  ///   - line: the line that messages name; the caller's when left out.
  ///   - factory: builds the instance. The caller's cancellation cancels the factory; an instance
  ///     that the factory builds nevertheless is disposed of.
  /// - Throws: ``ResolutionError``;
  ///   ``RegistrationError/alreadyRegistered(key:existing:refused:policy:)`` or
  ///   ``RegistrationError/containerClosed(key:location:)``, a new instance is then disposed of;
  ///   ``CloseError/disposalFailed(_:)`` of the old instance, after the replacement.
  /// - Complexity: O(1), plus the time of the factory and the disposers.
  ///
  /// Takes the container's writer lock, and holds no lock while the factory and the disposers run.
  /// No thread is blocked.
  nonisolated(nonsending)
    public func replace<Product>(
      _ product: Product.Type, name: Name? = nil, disposingOfOld: Bool = false,
      with options: RegistrationOptions<Product>? = nil,
      file: StaticString = #fileID, line: UInt = #line,
      factory: @escaping @Sendable (Resolver) async throws -> sending Product
    ) async throws
  {
    try await registry.replace(
      RegistrationKey(product: product, name: name), at: SourceLocation(file: file, line: line),
      disposesOld: disposingOfOld, options?.changes
    ) { attributes in
      AsyncFactoryRecord(attributes, factory: factory)
    }
  }

  /// Overrides a registration that is in use, by a factory that does not await: the registration is
  /// synchronous, and any resolve can build the instances.
  ///
  /// ```swift
  /// try await container.replace(Settings.self, disposingOfOld: true) { _ in try Settings.load() }
  /// ```
  ///
  /// The call awaits the asynchronous parts of the lifecycle: the disposers of the old instance,
  /// and `afterInit` actions. Without asynchronous parts, use
  /// ``syncReplace(_:name:with:file:line:factory:)``.
  ///
  /// - Throws: the errors of the asynchronous form.
  ///
  /// Takes the container's writer lock, and holds no lock while the factory and the disposers run.
  nonisolated(nonsending)
    public func replace<Product>(
      _ product: Product.Type, name: Name? = nil, disposingOfOld: Bool = false,
      with options: RegistrationOptions<Product>? = nil,
      file: StaticString = #fileID, line: UInt = #line,
      factory: @escaping @Sendable (Resolver) throws -> Product
    ) async throws
  {
    try await registry.replace(
      RegistrationKey(product: product, name: name), at: SourceLocation(file: file, line: line),
      disposesOld: disposingOfOld, options?.changes
    ) { FactoryRecord($0, factory: factory) }
  }

  /// Overrides a registration that is in use, for synchronous code. The old instance is dropped
  /// without disposal.
  ///
  /// ```swift
  /// try container.syncReplace(Settings.self) { _ in try Settings.load() }
  /// ```
  ///
  /// - Throws: ``ResolutionError``;
  ///   ``RegistrationError/alreadyRegistered(key:existing:refused:policy:)`` or
  ///   ``RegistrationError/containerClosed(key:location:)``.
  ///
  /// Takes the container's writer lock, and holds no lock while the factory runs.
  @available(*, noasync, message: "In asynchronous code, await replace.")
  public func syncReplace<Product>(
    _ product: Product.Type, name: Name? = nil, with options: RegistrationOptions<Product>? = nil,
    file: StaticString = #fileID, line: UInt = #line,
    factory: @escaping @Sendable (Resolver) throws -> Product
  ) throws {
    try registry.replace(
      RegistrationKey(product: product, name: name), at: SourceLocation(file: file, line: line),
      options?.changes
    ) { FactoryRecord($0, factory: factory) }
  }
}
