// SPDX-License-Identifier: MIT

/// The arguments of one resolve, without their types.
@usableFromInline
// SAFETY: `values` is written before the arguments are shared, by the resolve that they belong to. The values
// are compared in any thread, as keys of a dictionary shared by threads would be.
class AnyArguments: @unchecked Sendable {
  /// What tells these arguments from others, where an instance is kept for each.
  final var values: ArgumentValues?

  /// The argument, or the tuple of several.
  var argument: Any {
    preconditionFailure("AnyArguments.argument: must be overridden for each type of arguments")
  }
}

/// The arguments of one resolve: one value, or the tuple of several.
@usableFromInline
// SAFETY: see the superclass.
final class ArgumentsBox<Arguments>: AnyArguments, @unchecked Sendable {
  let arguments: Arguments

  init(_ arguments: Arguments) {
    self.arguments = arguments
  }

  override var argument: Any { arguments }
}

extension AnyArguments {
  /// The arguments of a resolve that are known to be of this type.
  func arguments<Arguments>(of type: Arguments.Type) -> Arguments {
    // SAFETY: the key under which a registration is found decides the types of its arguments.
    unsafe unsafeDowncast(self, to: ArgumentsBox<Arguments>.self).arguments
  }
}

/// Arguments as a key: equal when all values are.
@usableFromInline
// SAFETY: immutable; the values are compared in any thread, see AnyArguments.
struct ArgumentValues: Hashable, @unchecked Sendable {
  let values: [AnyHashable]
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

  /// How to make a key of arguments of these types; `nil` when one of them is not `Hashable`.
  @usableFromInline
  static func hashing<each Argument>(
    _ types: repeat (each Argument).Type
  ) -> (@Sendable ((repeat each Argument)) -> ArgumentValues)? {
    for type in repeat each types {
      if !(type is any Hashable.Type) { return nil }
    }
    return { arguments in
      var values: [AnyHashable] = []
      for argument in repeat each arguments {
        if let value = argument as? any Hashable { values.append(AnyHashable(value)) }
      }
      return ArgumentValues(values: values)
    }
  }
}
