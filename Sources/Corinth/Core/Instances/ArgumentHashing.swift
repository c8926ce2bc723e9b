// SPDX-License-Identifier: MIT

/// Hashes and compares the arguments of one registration by their address. Made once, so that resolves neither cast a value nor
/// look up a type.
@usableFromInline
// SAFETY, of this file: callers pass addresses of arguments of the types that it was made for.
final class ArgumentHashing: Sendable {
  private let first: HashableKind
  /// The others of several, which are a tuple: each follows the one before, aligned for its type.
  private let others: [(kind: HashableKind, offset: Int)]
  let alignment: Int

  /// - Parameter types: at least one.
  /// - Returns: `nil` if one of them is not `Hashable`.
  init?(of types: [any Any.Type]) {
    var kinds: [(kind: HashableKind, offset: Int)] = []
    var size = 0
    for type in types {
      guard let type = type as? any Hashable.Type else { return nil }
      let kind = HashableKind.of(type)
      let offset = (size + kind.alignment - 1) / kind.alignment * kind.alignment
      kinds.append((kind, offset))
      size = offset + kind.size
    }
    first = kinds[0].kind
    alignment = kinds.reduce(1) { max($0, $1.kind.alignment) }
    others = Array(kinds.dropFirst())
  }

  /// Runs the values' `hash(into:)`.
  func hash(_ arguments: UnsafeRawPointer) -> UInt64 {
    if others.isEmpty { return unsafe UInt64(bitPattern: Int64(first.hash(arguments))) }
    var hasher = Hasher()
    unsafe first.hash(arguments, into: &hasher)
    for other in others { unsafe other.kind.hash(arguments + other.offset, into: &hasher) }
    return UInt64(bitPattern: Int64(hasher.finalize()))
  }

  /// Runs the values' `==`.
  func areEqual(_ left: UnsafeRawPointer, _ right: UnsafeRawPointer) -> Bool {
    unsafe first.areEqual(left, right)
      && others.allSatisfy { unsafe $0.kind.areEqual(left + $0.offset, right + $0.offset) }
  }
}

/// Hashes and compares the values of one type.
// SAFETY: the properties of this and its subclass are constant.
private class HashableKind: @unchecked Sendable {
  let size: Int
  let alignment: Int

  fileprivate init(size: Int, alignment: Int) {
    self.size = size
    self.alignment = alignment
  }

  func hash(_ value: UnsafeRawPointer) -> Int {
    preconditionFailure("HashableKind.hash: must be overridden for each type of value")
  }

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
  init() {
    super.init(size: MemoryLayout<Value>.size, alignment: MemoryLayout<Value>.alignment)
  }

  override func hash(_ value: UnsafeRawPointer) -> Int {
    unsafe value.assumingMemoryBound(to: Value.self).pointee.hashValue
  }

  override func hash(_ value: UnsafeRawPointer, into hasher: inout Hasher) {
    unsafe value.assumingMemoryBound(to: Value.self).pointee.hash(into: &hasher)
  }

  override func areEqual(_ left: UnsafeRawPointer, _ right: UnsafeRawPointer) -> Bool {
    unsafe left.assumingMemoryBound(to: Value.self).pointee
      == right.assumingMemoryBound(to: Value.self).pointee
  }
}
