// SPDX-License-Identifier: MIT

extension RegistrationOptions {
  /// Adds an action that runs with every new instance, before other resolves get the instance:
  /// ``Registration/afterInit(perform:)-2hry4``.
  ///
  /// ```swift
  /// try container.register(
  ///   Child.self, scope: .singleton,
  ///   with: .afterInit { resolver, child in child.parent = try resolver.resolve() }
  /// ) { _ in Child() }
  /// ```
  public func afterInit(
    perform action: @escaping @Sendable (Resolver, Product) throws -> Void
  ) -> Self {
    adding { attributes in
      attributes.lifecycle.afterInit.append(
        .synchronous { resolver, box in try action(resolver, box.instance(of: Product.self)) })
    }
  }

  /// Adds an asynchronous action that runs with every new instance, before other resolves get the
  /// instance. The action makes the registration asynchronous.
  public func afterInit(
    perform action: @escaping @Sendable (Resolver, Product) async throws -> Void
  ) -> Self {
    adding { attributes in
      attributes.lifecycle.afterInit.append(
        .asynchronous { resolver, box in
          try await action(resolver, box.instance(of: Product.self))
        })
    }
  }

  /// Has `warmUp()` build the instance, instead of the first resolve: ``Registration/eager()``.
  public var eager: Self { adding { $0.isEager = true } }

  /// Has a ``CustomStorage`` store the product, in the place of a scope.
  ///
  /// ```swift
  /// try container.register(Session.self, with: .as(PerThread())) { _ in Session() }
  /// ```
  ///
  /// The storage overrules a scope given besides, which
  /// ``Container/validate(roots:inputs:strictly:)`` reports.
  public func `as`(_ storage: some CustomStorage<Product>) -> Self {
    adding { $0.setScope(.custom, keptBy: AnyCustomStorage(storage)) }
  }

  /// Declares the dependencies of a factory that is a closure, for
  /// ``Container/validate(roots:inputs:strictly:)``: ``Registration/dependsOn(_:keys:)``.
  public func dependsOn(_ types: any Any.Type..., keys: [RegistrationKey] = []) -> Self {
    dependingOn(types, keys)
  }

  func dependingOn(_ types: [any Any.Type], _ keys: [RegistrationKey]) -> Self {
    adding {
      $0.declaredDependencies =
        ($0.declaredDependencies ?? []) + types.map { RegistrationKey(product: $0) } + keys
    }
  }
}

/// The members that begin a chain.
extension RegistrationOptions {
  /// An action that runs with every new instance, before other resolves get the instance.
  public static func afterInit(
    perform action: @escaping @Sendable (Resolver, Product) throws -> Void
  ) -> Self { Self().afterInit(perform: action) }

  /// An asynchronous action that runs with every new instance, before other resolves get the
  /// instance.
  public static func afterInit(
    perform action: @escaping @Sendable (Resolver, Product) async throws -> Void
  ) -> Self { Self().afterInit(perform: action) }

  /// Has `warmUp()` build the instance, instead of the first resolve.
  public static var eager: Self { Self().eager }

  /// Has a ``CustomStorage`` store the product, in the place of a scope.
  public static func `as`(_ storage: some CustomStorage<Product>) -> Self { Self().as(storage) }

  /// Declares the dependencies of a factory that is a closure, for
  /// ``Container/validate(roots:inputs:strictly:)``.
  public static func dependsOn(_ types: any Any.Type..., keys: [RegistrationKey] = []) -> Self {
    Self().dependingOn(types, keys)
  }
}
