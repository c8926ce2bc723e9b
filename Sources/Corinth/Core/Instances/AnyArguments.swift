// SPDX-License-Identifier: MIT

/// The arguments of one resolve, without their types. As a key, where an instance is kept for each value of them, they tell the
/// instances of one registration apart.
@usableFromInline
// SAFETY: the properties are written before the arguments are shared, by the resolve that they belong to.
// The values are compared in any thread, as keys of a dictionary shared by threads would be.
class AnyArguments: @unchecked Sendable {
  /// How they are compared; `nil` if they are no key.
  private(set) final var hashing: ArgumentHashing?
  /// Equal values have equal ones.
  private(set) final var hash: UInt64 = 0

  deinit { HeldLocks.assertNone(AnyArguments.self) }

  /// The argument, or the tuple of several.
  var argument: Any {
    preconditionFailure("AnyArguments.argument: must be overridden for each type of arguments")
  }

  /// Makes them a key. Runs the values' `hash(into:)`.
  ///
  /// - Parameter hash: instead of their own.
  final func identify(by hashing: ArgumentHashing, hash: UInt64? = nil) {
    self.hashing = hashing
    self.hash = unsafe hash ?? hashing.hash(address(hashing))
  }

  /// Whether all values are equal to those of another key of the same registration. Runs their `==`.
  final func areEqual(to other: AnyArguments) -> Bool {
    if self === other { return true }
    guard let hashing else { return other.hashing == nil }
    return unsafe hashing.areEqual(address(hashing), other.address(hashing))
  }

  /// Whether all values are equal to those at an address.
  @inline(__always)
  final func areEqual(toArgumentsAt other: UnsafeRawPointer, by hashing: ArgumentHashing) -> Bool {
    unsafe hashing.areEqual(other, address(hashing))
  }

  /// The address of the arguments, which are the only property of ``ArgumentsBox``.
  @inline(__always)
  private func address(_ hashing: ArgumentHashing) -> UnsafeRawPointer {
    // SAFETY: see `AnyInstanceBox.instance(of:inBoxAt:)`. Here the header is followed by two words.
    let size = 16 + MemoryLayout<UInt>.size + MemoryLayout<UInt64>.size
    return unsafe UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
      + (size + hashing.alignment - 1) / hashing.alignment * hashing.alignment
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
