// SPDX-License-Identifier: MIT

/// The arguments of one resolve, of any types. As a key, in registrations with an instance for
/// every value of the arguments, they tell the instances of a registration apart.
@usableFromInline
// SAFETY: the resolve that owns the arguments writes the properties before sharing them. The values
// are compared on any thread, like keys of a dictionary shared by threads.
class AnyArguments: @unchecked Sendable {
  /// The means of comparison; `nil` for arguments that are no key.
  private(set) final var hashing: ArgumentHashing?
  /// The hash of the values, for keys: equal values have equal hashes.
  private(set) final var hash: UInt64 = 0

  deinit { HeldLocks.assertNone(AnyArguments.self) }

  /// The argument, or the tuple of several.
  var argument: Any {
    preconditionFailure("AnyArguments.argument: must be overridden for each type of arguments")
  }

  /// Makes the arguments a key. Runs the values' `hash(into:)`.
  ///
  /// - Parameter hash: replaces the values' hash.
  final func identify(by hashing: ArgumentHashing, hash: UInt64? = nil) {
    self.hashing = hashing
    self.hash = unsafe hash ?? hashing.hash(address(hashing))
  }

  /// Whether all values equal those of a key of the same registration. Runs `==` of the values.
  final func areEqual(to other: AnyArguments) -> Bool {
    if self === other { return true }
    guard let hashing else { return other.hashing == nil }
    return unsafe hashing.areEqual(address(hashing), other.address(hashing))
  }

  /// Whether every value is equal to itself, as `Double.nan` is not. Runs `==` of the values.
  final var areEqualToThemselves: Bool {
    guard let hashing else { return true }
    return unsafe hashing.areEqual(address(hashing), address(hashing))
  }

  /// Whether all values equal the values at an address.
  @inline(__always)
  final func areEqual(toArgumentsAt other: UnsafeRawPointer, by hashing: ArgumentHashing) -> Bool {
    unsafe hashing.areEqual(other, address(hashing))
  }

  /// The address of the arguments, the only property of ``ArgumentsBox``.
  @inline(__always)
  private func address(_ hashing: ArgumentHashing) -> UnsafeRawPointer {
    // SAFETY: see `AnyInstanceBox.instance(of:inBoxAt:)`. Here the header is followed by two words.
    let size = 16 + MemoryLayout<UInt>.size + MemoryLayout<UInt64>.size
    return unsafe UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
      + (size + hashing.alignment - 1) / hashing.alignment * hashing.alignment
  }
}

/// The arguments of a resolve: a single value, or the tuple of several.
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
  /// The arguments of a resolve, known to have the type.
  func arguments<Arguments>(of type: Arguments.Type) -> Arguments {
    // SAFETY: a registration's key, by which it was found, decides the types of the arguments.
    unsafe unsafeDowncast(self, to: ArgumentsBox<Arguments>.self).arguments
  }
}
