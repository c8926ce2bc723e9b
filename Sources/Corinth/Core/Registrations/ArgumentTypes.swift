// SPDX-License-Identifier: MIT

/// The argument types of a wired initializer: a list of types, turned back into a parameter pack,
/// as records store the arguments in a tuple of the pack's types.
protocol ArgumentTypes: Sendable {
  /// The types, in their order.
  var list: [any Any.Type] { get }
  /// The type, or the tuple of several: a part of the key.
  var tuple: any Any.Type { get }
  /// How to compare the values; `nil` if any is not `Hashable`.
  var hashing: ArgumentHashing? { get }

  /// - Parameter factory: resolves only parameters, by the resolver passed; see ``WiredArguments``.
  func record<Product>(
    _ attributes: RegistrationAttributes,
    factory: @escaping @Sendable (Resolver) throws -> Product
  ) -> RegistrationRecord

  func asyncRecord<Product>(
    _ attributes: RegistrationAttributes,
    factory: @escaping @Sendable (Resolver) async throws -> sending Product
  ) -> AsyncFactoryRecord<Product>
}

/// - Returns: `nil` if there are none.
func argumentTypes(of list: [any Any.Type]) -> (any ArgumentTypes)? {
  list.isEmpty ? nil : argumentTypes(of: list[...])
}

private func argumentTypes<each Argument>(
  of list: ArraySlice<any Any.Type>, after types: repeat (each Argument).Type
) -> any ArgumentTypes {
  guard let next = list.first else { return ArgumentTypePack<repeat each Argument>() }
  func adding<Next>(_ next: Next.Type) -> any ArgumentTypes {
    argumentTypes(of: list.dropFirst(), after: repeat each types, next)
  }
  return adding(next)
}

private struct ArgumentTypePack<each Argument>: ArgumentTypes {
  typealias Arguments = (repeat each Argument)

  var list: [any Any.Type] {
    var list: [any Any.Type] = []
    for type in repeat (each Argument).self { list.append(type) }
    return list
  }

  var tuple: any Any.Type { Arguments.self }

  var hashing: ArgumentHashing? { ArgumentHashing(of: list) }

  func record<Product>(
    _ attributes: RegistrationAttributes,
    factory: @escaping @Sendable (Resolver) throws -> Product
  ) -> RegistrationRecord {
    ArgumentFactoryRecord(
      attributes,
      factory: ArgumentList.spread {
        (resolver: Resolver, arguments: repeat each Argument) throws -> Product in
        try factory(
          resolver.giving(Self.values(repeat each arguments), to: attributes.parameters))
      })
  }

  func asyncRecord<Product>(
    _ attributes: RegistrationAttributes,
    factory: @escaping @Sendable (Resolver) async throws -> sending Product
  ) -> AsyncFactoryRecord<Product> {
    AsyncFactoryRecord(
      attributes,
      taking: ArgumentList.spread {
        (resolver: Resolver, arguments: repeat each Argument) async throws -> sending Product in
        try await factory(
          resolver.giving(Self.values(repeat each arguments), to: attributes.parameters))
      })
  }

  private static func values(_ arguments: repeat each Argument) -> [Any] {
    var values: [Any] = []
    for argument in repeat each arguments { values.append(argument) }
    return values
  }
}

/// Functions of a pack, which can neither be stored nor cast, as functions of a tuple.
@usableFromInline
enum ArgumentList {
  @inlinable
  static func spread<Product, each Argument>(
    _ factory: @escaping @Sendable (Resolver, repeat each Argument) throws -> Product
  ) -> @Sendable (Resolver, (repeat each Argument)) throws -> Product {
    { resolver, arguments in try factory(resolver, repeat each arguments) }
  }

  static func spread<Product, each Argument>(
    _ factory: @escaping @Sendable (Resolver, repeat each Argument) async throws -> sending Product
  ) -> @Sendable (Resolver, (repeat each Argument)) async throws -> sending Product {
    { resolver, arguments in try await factory(resolver, repeat each arguments) }
  }

  /// How to compare arguments of the given types; `nil` if any type is not `Hashable`.
  @usableFromInline
  static func hashing<each Argument>(_ types: repeat (each Argument).Type) -> ArgumentHashing? {
    var list: [any Any.Type] = []
    for type in repeat each types { list.append(type) }
    return ArgumentHashing(of: list)
  }
}
