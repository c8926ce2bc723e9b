// SPDX-License-Identifier: MIT

extension Hooks {
  /// Adds an action that runs with each new instance, before other resolves get it:
  /// ``Registration/afterInit(perform:)-2hry4``.
  ///
  /// ```swift
  /// try container.register(
  ///   Child.self, scope: .singleton,
  ///   with: .afterInit { resolver, child in child.parent = try resolver.resolve() }
  /// ) { _ in Child() }
  /// ```
  ///
  /// - Parameter action: gets a resolver of the same resolution, and the instance.
  public func afterInit(
    perform action: @escaping @Sendable (Resolver, Product) throws -> Void
  ) -> Self {
    adding { attributes in
      attributes.lifecycle.afterInit.append(
        .synchronous { resolver, box in try action(resolver, box.instance(of: Product.self)) })
    }
  }

  /// Adds an asynchronous action that runs with each new instance, before other resolves get it. The registration is
  /// asynchronous with it.
  ///
  /// ```swift
  /// try container.registerAsync(
  ///   Pool.self, scope: .singleton, with: .afterInit { _, pool in try await pool.connect() }
  /// ) { _ in Pool() }
  /// ```
  ///
  /// - Parameter action: gets a resolver of the same resolution, and the instance.
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
  ///
  /// ```swift
  /// try container.register(Database.self, scope: .singleton, with: .eager) { _ in try Database.open() }
  /// ```
  public var eager: Self { adding { $0.isEager = true } }

  /// Has an ``Instance`` store the product, in the place of a scope.
  ///
  /// ```swift
  /// try container.register(Session.self, with: .as(PerThread())) { _ in Session() }
  /// ```
  ///
  /// - Parameter instance: stores the product. In the place of a scope: it overrules one that is given too, which
  ///   ``Container/validate(roots:inputs:strictly:)`` reports.
  public func `as`(_ instance: some Instance<Product>) -> Self {
    adding { $0.setScope(.custom, keptBy: CustomInstance(instance)) }
  }

  /// Declares the dependencies of a factory that is a closure, for ``Container/validate(roots:inputs:strictly:)``:
  /// ``Registration/dependsOn(_:keys:)``.
  ///
  /// ```swift
  /// try container.register(Service.self, with: .dependsOn(Logger.self)) { resolver in
  ///   Service(logger: try resolver.resolve())
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - types: the types that it resolves without a name. Several calls add up.
  ///   - keys: what it resolves by names or with arguments.
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
extension Hooks {
  /// An action that runs with each new instance, before other resolves get it.
  public static func afterInit(
    perform action: @escaping @Sendable (Resolver, Product) throws -> Void
  ) -> Self { Self().afterInit(perform: action) }

  /// An asynchronous action that runs with each new instance, before other resolves get it.
  public static func afterInit(
    perform action: @escaping @Sendable (Resolver, Product) async throws -> Void
  ) -> Self { Self().afterInit(perform: action) }

  /// Has `warmUp()` build the instance, instead of the first resolve.
  public static var eager: Self { Self().eager }

  /// Has an ``Instance`` store the product, in the place of a scope.
  public static func `as`(_ instance: some Instance<Product>) -> Self { Self().as(instance) }

  /// Declares the dependencies of a factory that is a closure, for ``Container/validate(roots:inputs:strictly:)``.
  public static func dependsOn(_ types: any Any.Type..., keys: [RegistrationKey] = []) -> Self {
    Self().dependingOn(types, keys)
  }
}
