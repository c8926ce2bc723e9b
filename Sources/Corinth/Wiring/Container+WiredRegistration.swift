// SPDX-License-Identifier: MIT

/// The common implementation for all numbers of parameters. Out of line: a call site passes the types.
extension Container {
  @usableFromInline
  func registerWired<Product>(
    _ product: Product.Type, _ name: Name?, _ scope: Scope<Product>?, _ overridable: Bool,
    _ hooks: Hooks<Product>?, _ file: StaticString, _ line: UInt, _ parameters: ParameterTypes,
    factory: @escaping @Sendable (Resolver) throws -> Product
  ) throws -> Registration<Product> {
    var attributes = attributes(
      RegistrationKey(product: product, name: name), scope: scope?.erased,
      isOverridable: overridable,
      with: hooks?.changes, at: SourceLocation(file: file, line: line))
    attributes.parameters = WiredParameters(parameters.types)
    return try register(attributes, FactoryRecord(attributes, factory: factory))
  }

  @usableFromInline
  func registerAsyncWired<Product>(
    _ product: Product.Type, _ name: Name?, _ scope: Scope<Product>?, _ overridable: Bool,
    _ hooks: Hooks<Product>?, _ file: StaticString, _ line: UInt, _ parameters: ParameterTypes,
    factory: @escaping @Sendable (Resolver) async throws -> sending Product
  ) throws -> Registration<Product> {
    var attributes = attributes(
      RegistrationKey(product: product, name: name), scope: scope?.erased,
      isOverridable: overridable,
      with: hooks?.changes, at: SourceLocation(file: file, line: line))
    attributes.parameters = WiredParameters(parameters.types)
    let record = AsyncFactoryRecord(attributes, hashing: nil) { resolver, _ in
      try await factory(resolver)
    }
    return try register(attributes, record)
  }

  @usableFromInline
  func contributeWired<Element>(
    _ element: Element.Type, _ name: Name?, _ scope: Scope<Element>?, _ hooks: Hooks<Element>?,
    _ file: StaticString, _ line: UInt, _ parameters: ParameterTypes,
    factory: @escaping @Sendable (Resolver) throws -> Element
  ) throws -> Registration<Element> {
    var contribution = contribution(
      to: element, name, scope, hooks, SourceLocation(file: file, line: line))
    contribution.parameters = WiredParameters(parameters.types)
    return try register(contribution, FactoryRecord(contribution, factory: factory))
  }

  @usableFromInline
  func contributeAsyncWired<Element>(
    _ element: Element.Type, _ name: Name?, _ scope: Scope<Element>?, _ hooks: Hooks<Element>?,
    _ file: StaticString, _ line: UInt, _ parameters: ParameterTypes,
    factory: @escaping @Sendable (Resolver) async throws -> sending Element
  ) throws -> Registration<Element> {
    var contribution = contribution(
      to: element, name, scope, hooks, SourceLocation(file: file, line: line))
    contribution.parameters = WiredParameters(parameters.types)
    let record = AsyncFactoryRecord(contribution, hashing: nil) { resolver, _ in
      try await factory(resolver)
    }
    return try register(contribution, record)
  }

  @usableFromInline
  func registerWired<Product, First, each Rest, each Parameter>(
    _ product: Product.Type, _ name: Name?, _ first: First.Type, _ rest: repeat (each Rest).Type,
    scope: Scope<Product>, _ overridable: Bool, _ hooks: Hooks<Product>?, _ file: StaticString,
    _ line: UInt,
    parameters: repeat (each Parameter).Type,
    factory: @escaping @Sendable (WiredArguments) throws -> Product
  ) throws -> Registration<Product> {
    let parameters = WiredParameters(
      Self.list(repeat each parameters), arguments: Self.list(first, repeat each rest))
    let hashing = ArgumentList.hashing(First.self, repeat (each Rest).self)
    var attributes = attributes(
      RegistrationKey(product: product, name: name, arguments: (First, repeat each Rest).self),
      scope: scope.erased, isOverridable: overridable, with: hooks?.changes,
      at: SourceLocation(file: file, line: line))
    attributes.hasHashableArguments = hashing != nil
    try attributes.setParameters(parameters)
    let record = ArgumentFactoryRecord(
      attributes, hashing: hashing,
      factory: ArgumentList.spread {
        (resolver: Resolver, first: First, rest: repeat each Rest) throws -> Product in
        try factory(
          WiredArguments(resolver, Self.values(first, repeat each rest), for: parameters))
      })
    return try register(attributes, record)
  }

  @usableFromInline
  func registerAsyncWired<Product, First: Sendable, each Rest: Sendable, each Parameter>(
    _ product: Product.Type, _ name: Name?, _ first: First.Type, _ rest: repeat (each Rest).Type,
    scope: Scope<Product>, _ overridable: Bool, _ hooks: Hooks<Product>?, _ file: StaticString,
    _ line: UInt,
    parameters: repeat (each Parameter).Type,
    factory: @escaping @Sendable (WiredArguments) async throws -> sending Product
  ) throws -> Registration<Product> {
    let parameters = WiredParameters(
      Self.list(repeat each parameters), arguments: Self.list(first, repeat each rest))
    return try registerAsync(
      product, name, scope, overridable, hooks, file, line,
      hashing: ArgumentList.hashing(First.self, repeat (each Rest).self),
      taking: ArgumentList.spread {
        (resolver: Resolver, first: First, rest: repeat each Rest) async throws -> sending Product
        in
        try await factory(
          WiredArguments(resolver, Self.values(first, repeat each rest), for: parameters))
      }
    ) { attributes throws(RegistrationError) in try attributes.setParameters(parameters) }
  }

  static func list<each Parameter>(
    _ types: repeat (each Parameter).Type
  ) -> [any Any.Type] {
    var list: [any Any.Type] = []
    for type in repeat each types { list.append(type) }
    return list
  }

  private static func values<each Argument>(_ arguments: repeat each Argument) -> [Any] {
    var values: [Any] = []
    for argument in repeat each arguments { values.append(argument) }
    return values
  }
}

extension RegistrationAttributes {
  /// Records the parameters of an initialiser that takes arguments.
  ///
  /// - Throws: ``RegistrationError/argumentNotTaken(key:argument:location:)``.
  fileprivate mutating func setParameters(
    _ parameters: WiredParameters
  ) throws(RegistrationError) {
    if let unused = parameters.unusedArgument {
      throw .argumentNotTaken(key: key, argument: unused, location: location)
    }
    self.parameters = parameters
  }
}

/// The types of parameters, collected one by one: with a pack of them at each call site, the time of the compiler grew
/// with the square of the number of registrations in a function.
@usableFromInline
struct ParameterTypes {
  private(set) var types: [any Any.Type] = []

  @usableFromInline
  init() {}

  @usableFromInline
  consuming func adding<Parameter>(_ type: Parameter.Type) -> ParameterTypes {
    types.append(type)
    return self
  }
}
