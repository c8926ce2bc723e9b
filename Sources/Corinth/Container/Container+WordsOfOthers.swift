// SPDX-License-Identifier: MIT

/// Words of other libraries: the compiler's message names the call to write.
extension Container {
  @_documentation(visibility: internal)
  @available(*, unavailable, message: "a factory is registered with register(_:scope:factory:)")
  public func bind<Product>(
    _ product: Product.Type, factory: @escaping @Sendable (Resolver) throws -> Product
  ) { neverCalled() }

  @_documentation(visibility: internal)
  @available(*, unavailable, message: "write register(_:scope:factory:) with scope: .singleton")
  public func registerSingleton<Product>(
    _ product: Product.Type, factory: @escaping @Sendable (Resolver) throws -> Product
  ) { neverCalled() }

  @_documentation(visibility: internal)
  @available(
    *, unavailable,
    message: "a later register overrides; a test overrides in a fork of the container"
  )
  public func override<Product>(
    _ product: Product.Type, factory: @escaping @Sendable (Resolver) throws -> Product
  ) { neverCalled() }

  @_documentation(visibility: internal)
  @available(*, unavailable, renamed: "resolve(_:)")
  public func get<Product>(_ product: Product.Type) -> Product { neverCalled() }

  @_documentation(visibility: internal)
  @available(*, unavailable, renamed: "resolveIfRegistered(_:)")
  public func resolveOptional<Product>(_ product: Product.Type) -> Product? { neverCalled() }

  @_documentation(visibility: internal)
  @available(
    *, unavailable, message: "an Assembler applies it: Assembler(container:).apply(assembly:)"
  )
  public func apply(_ assembly: some Assembly) { neverCalled() }

  private func neverCalled() -> Never {
    preconditionFailure("Container: the words of other libraries are not to be called")
  }
}

extension Assembler {
  @_documentation(visibility: internal)
  @available(*, unavailable, message: "write Assembler(container:), then apply(assemblies:)")
  public convenience init(_ assemblies: [any Assembly]) {
    preconditionFailure("Assembler: the words of other libraries are not to be called")
  }
}

extension Scope {
  @_documentation(visibility: internal)
  @available(*, unavailable, renamed: "scoped")
  public static var request: Self { Self(.scoped) }

  @_documentation(visibility: internal)
  @available(*, unavailable, renamed: "scoped")
  public static var perRequest: Self { Self(.scoped) }

  @_documentation(visibility: internal)
  @available(*, unavailable, renamed: "singleton")
  public static var shared: Self { Self(.singleton) }

  @_documentation(visibility: internal)
  @available(*, unavailable, renamed: "singleton")
  public static var container: Self { Self(.singleton) }
}

extension Registration {
  @_documentation(visibility: internal)
  @available(*, unavailable, message: "the scope is an argument: register(_:scope:factory:)")
  @discardableResult
  public func inScope(_ scope: Scope<Product>) -> Self { self }

  @_documentation(visibility: internal)
  @available(*, unavailable, message: "the scope is an argument: register(_:scope:factory:)")
  @discardableResult
  public func inObjectScope(_ scope: Scope<Product>) -> Self { self }
}
