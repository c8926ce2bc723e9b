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

  /// How to make a key of arguments of these types; `nil` when one of them is not `Hashable`.
  @usableFromInline
  static func hashing<each Argument>(
    _ types: repeat (each Argument).Type
  ) -> (@Sendable ((repeat each Argument)) -> ArgumentValues)? {
    var mutableKinds: [HashableKind] = []
    for type in repeat each types {
      guard let type = type as? any Hashable.Type else { return nil }
      mutableKinds.append(HashableKind.of(type))
    }
    let kinds = mutableKinds
    let comparison: ArgumentTuple<(repeat each Argument)>.Comparison = { left, right in
      var index = 0
      for (left, right) in repeat (each left, each right) {
        // SAFETY: the kinds are those of these types.
        let areEqual = unsafe withUnsafePointer(to: left) { left in
          unsafe withUnsafePointer(to: right) { unsafe kinds[index].areEqual(left, $0) }
        }
        if !areEqual { return false }
        index += 1
      }
      return true
    }
    return { arguments in
      var hasher = Hasher()
      var index = 0
      for argument in repeat each arguments {
        // SAFETY: as above.
        unsafe withUnsafePointer(to: argument) { unsafe kinds[index].hash($0, into: &hasher) }
        index += 1
      }
      return ArgumentTuple(arguments, hash: hasher.finalize(), comparison: comparison)
    }
  }
}

/// Hashes and compares the values of one type. Made once for each argument of a registration: a
/// cast of each value takes ten times as long.
// SAFETY: neither it nor its subclass has any state.
private class HashableKind: @unchecked Sendable {
  // SAFETY: the caller passes pointers to values of the type, here and below.
  func hash(_ value: UnsafeRawPointer, into hasher: inout Hasher) {
    preconditionFailure("HashableKind.hash: must be overridden for each type of value")
  }

  func areEqual(_ left: UnsafeRawPointer, _ right: UnsafeRawPointer) -> Bool {
    preconditionFailure("HashableKind.areEqual: must be overridden for each type of value")
  }

  static func of<Value: Hashable>(_ type: Value.Type) -> HashableKind {
    HashableKindOf<Value>()
  }
}

// SAFETY: see the superclass.
private final class HashableKindOf<Value: Hashable>: HashableKind, @unchecked Sendable {
  override func hash(_ value: UnsafeRawPointer, into hasher: inout Hasher) {
    unsafe value.assumingMemoryBound(to: Value.self).pointee.hash(into: &hasher)
  }

  override func areEqual(_ left: UnsafeRawPointer, _ right: UnsafeRawPointer) -> Bool {
    unsafe left.assumingMemoryBound(to: Value.self).pointee
      == right.assumingMemoryBound(to: Value.self).pointee
  }
}
