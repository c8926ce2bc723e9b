// SPDX-License-Identifier: MIT

/// The arguments of one resolve, without their types.
@usableFromInline
// SAFETY: `values` is written before the arguments are shared, by the resolve that they belong to.
// The values are compared in any thread, as keys of a dictionary shared by threads would be.
class AnyArguments: @unchecked Sendable {
  /// The arguments as a key, where an instance is kept for each.
  final var values: ArgumentValues?

  deinit { HeldLocks.assertNone(AnyArguments.self) }

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
