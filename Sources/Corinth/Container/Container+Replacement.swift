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
  /// `registerAsync` publishes a registration without an instance. Until that
  /// is built, a synchronous resolve throws ``ResolutionError/asyncResolutionRequired(_:)``. Here each resolve gets the old
  /// instance or the new one. A failure changes nothing.
  ///
  /// The new registration has the scope, the actions and the disposers of the old one. It is as asynchronous as its factory:
  /// one that awaits makes a registration whose instance each resolve gets while it is there, and that only `resolveAsync`
  /// can build again, after a release or in a fork. A factory that does not await leaves it to any resolve, see
  /// ``replace(_:name:disposingOfOld:with:file:line:factory:)-(_,_,_,_,_,_,(Resolver)->Product)``.
  ///
  /// The factory finds the old instance under its own key. Only singletons and cached instances without arguments are built
  /// first; other registrations are just overridden. When several replacements run at once, the last one to be built stays.
  ///
  /// - Parameters:
  ///   - product: the type that it is registered under, in this container.
  ///   - name: the name that it is registered under.
  ///   - disposingOfOld: whether the old instance is disposed of once it has been replaced, as
  ///     ``release(_:name:arguments:disposing:timeLimit:)`` does, although others may still be using it. Otherwise it is released, and reported to
  ///     ``onDroppedUndisposed`` if it has disposers.
  ///   - hooks: what the new registration has beside the actions of the old one. The dependencies of a factory are its own:
  ///     a ``ReloadableContainer`` has to be told of them again, by `dependsOn`.
  ///   - file: the file that messages name; the caller's when left out.
  ///   - line: the line that messages name; the caller's when left out.
  ///   - factory: builds the instance. The caller's cancellation cancels it; an instance that it builds
  ///     nevertheless is disposed of.
  /// - Throws: ``ResolutionError``; ``RegistrationError/alreadyRegistered(key:existing:refused:policy:)`` or
  ///   ``RegistrationError/containerClosed(key:location:)``, a new instance is then disposed of;
  ///   ``CloseError/disposalFailed(_:)`` of the old one, when it has been replaced.
  /// - Complexity: O(1), plus the time of the factory and the disposers.
  ///
  /// Takes the container's writer lock, and holds none while the factory and the disposers run. No thread is blocked.
  nonisolated(nonsending)
    public func replace<Product>(
      _ product: Product.Type, name: Name? = nil, disposingOfOld: Bool = false,
      with hooks: Hooks<Product>? = nil,
      file: StaticString = #fileID, line: UInt = #line,
      factory: @escaping @Sendable (Resolver) async throws -> sending Product
    ) async throws
  {
    try await registry.replace(
      RegistrationKey(product: product, name: name), at: SourceLocation(file: file, line: line),
      disposesOld: disposingOfOld, hooks?.changes
    ) { attributes in
      AsyncFactoryRecord(attributes, factory: factory)
    }
  }

  /// The same for a factory that does not await: the registration is synchronous, and any resolve can build its instances.
  ///
  /// ```swift
  /// try await container.replace(Settings.self, disposingOfOld: true) { _ in try Settings.load() }
  /// ```
  ///
  /// It awaits the asynchronous parts of the lifecycle: the disposers of the old instance, and `afterInit` actions.
  /// Without these, it is ``syncReplace(_:name:with:file:line:factory:)``.
  nonisolated(nonsending)
    public func replace<Product>(
      _ product: Product.Type, name: Name? = nil, disposingOfOld: Bool = false,
      with hooks: Hooks<Product>? = nil,
      file: StaticString = #fileID, line: UInt = #line,
      factory: @escaping @Sendable (Resolver) throws -> Product
    ) async throws
  {
    try await registry.replace(
      RegistrationKey(product: product, name: name), at: SourceLocation(file: file, line: line),
      disposesOld: disposingOfOld, hooks?.changes
    ) { FactoryRecord($0, factory: factory) }
  }

  /// The same for synchronous code. The old instance is dropped without disposal.
  ///
  /// ```swift
  /// try container.syncReplace(Settings.self) { _ in try Settings.load() }
  /// ```
  ///
  /// Takes the container's writer lock, and holds none while the factory runs.
  @available(*, noasync, message: "In asynchronous code, await replace.")
  public func syncReplace<Product>(
    _ product: Product.Type, name: Name? = nil, with hooks: Hooks<Product>? = nil,
    file: StaticString = #fileID, line: UInt = #line,
    factory: @escaping @Sendable (Resolver) throws -> Product
  ) throws {
    try registry.replace(
      RegistrationKey(product: product, name: name), at: SourceLocation(file: file, line: line),
      hooks?.changes
    ) { FactoryRecord($0, factory: factory) }
  }
}
