// SPDX-License-Identifier: MIT

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
