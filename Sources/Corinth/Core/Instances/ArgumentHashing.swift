// SPDX-License-Identifier: MIT

/// Hashes and compares the arguments of a registration, by address. Made once, so that resolves
/// neither cast values nor look up types.
@usableFromInline
// SAFETY, of this file: all is constant; callers pass addresses of arguments of the given types.
final class ArgumentHashing: @unchecked Sendable {
  private let first: any Hashable.Type
  /// The types after the first, if several. The values are a tuple: every element follows the
  /// element before, aligned for its type.
  private let others: [(type: any Hashable.Type, offset: Int)]
  let alignment: Int

  /// - Parameter types: at least one.
  /// - Returns: `nil` if any type is not `Hashable`.
  init?(of types: [any Any.Type]) {
    var elements: [(type: any Hashable.Type, offset: Int)] = []
    var (size, alignment) = (0, 1)
    func add<Value: Hashable>(_ type: Value.Type) {
      let own = MemoryLayout<Value>.alignment
      let offset = (size + own - 1) / own * own
      elements.append((type, offset))
      size = offset + MemoryLayout<Value>.size
      alignment = max(alignment, own)
    }
    for type in types {
      guard let type = type as? any Hashable.Type else { return nil }
      add(type)
    }
    first = elements[0].type
    others = Array(elements.dropFirst())
    self.alignment = alignment
  }

  /// Runs the values' `hash(into:)`.
  func hash(_ arguments: UnsafeRawPointer) -> UInt64 {
    if others.isEmpty { return unsafe UInt64(bitPattern: Int64(hashValue(first, arguments))) }
    var hasher = Hasher()
    unsafe combine(first, arguments, into: &hasher)
    for other in others { unsafe combine(other.type, arguments + other.offset, into: &hasher) }
    return UInt64(bitPattern: Int64(hasher.finalize()))
  }

  /// Runs the values' `==`.
  func areEqual(_ left: UnsafeRawPointer, _ right: UnsafeRawPointer) -> Bool {
    if unsafe !Corinth.areEqual(first, left, right) { return false }
    for other in others {
      let (left, right) = unsafe (left + other.offset, right + other.offset)
      if unsafe !Corinth.areEqual(other.type, left, right) { return false }
    }
    return true
  }
}

private func hashValue<Value: Hashable>(_: Value.Type, _ value: UnsafeRawPointer) -> Int {
  unsafe value.assumingMemoryBound(to: Value.self).pointee.hashValue
}

private func combine<Value: Hashable>(
  _: Value.Type, _ value: UnsafeRawPointer, into hasher: inout Hasher
) {
  unsafe value.assumingMemoryBound(to: Value.self).pointee.hash(into: &hasher)
}

private func areEqual<Value: Hashable>(
  _: Value.Type, _ left: UnsafeRawPointer, _ right: UnsafeRawPointer
) -> Bool {
  unsafe left.assumingMemoryBound(to: Value.self).pointee
    == right.assumingMemoryBound(to: Value.self).pointee
}
