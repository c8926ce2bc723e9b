// SPDX-License-Identifier: MIT

/// An integer that a name is made of, of any of the standard library's types of up to 64 bits.
///
/// A name stores the digits, as text without an allocation. Equal integers of all types then have
/// equal bits, which a hit compares.
struct NameInteger {
  let digits: String
  /// The hash value of the integer as an `AnyHashable`, and so of every equal value.
  let hashValue: Int

  /// - Returns: `nil` for a value of any other type.
  init?<Value>(_ value: Value) {
    // The compiler takes seconds for a single expression.
    let signed =
      NameInteger(value, as: Int.self) ?? NameInteger(value, as: Int8.self)
      ?? NameInteger(value, as: Int16.self) ?? NameInteger(value, as: Int32.self)
      ?? NameInteger(value, as: Int64.self)
    let found =
      signed ?? NameInteger(value, as: UInt.self) ?? NameInteger(value, as: UInt8.self)
      ?? NameInteger(value, as: UInt16.self) ?? NameInteger(value, as: UInt32.self)
      ?? NameInteger(value, as: UInt64.self)
    guard let found else { return nil }
    self = found
  }

  @inline(__always)
  private init?<Value, Integer: FixedWidthInteger>(_ value: Value, as type: Integer.Type) {
    guard Value.self == type else { return nil }
    // SAFETY: the types are equal.
    let integer = unsafe unsafeBitCast(value, to: Integer.self)
    digits = String(integer)
    // Widened, integers of all types are hashed alike; -1 and `UInt64.max` may share a hash.
    hashValue = UInt64(truncatingIfNeeded: integer).hashValue
  }

  /// The integer with these digits, for a comparison with a value of another type.
  static func hashable(digits: String) -> AnyHashable? {
    Int64(digits).map { AnyHashable($0) } ?? UInt64(digits).map { AnyHashable($0) }
  }
}
