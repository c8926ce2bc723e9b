// SPDX-License-Identifier: MIT

/// An integer that a name is made of, of any of the standard library's types of up to 64 bits.
///
/// A name stores the digits, as text that needs no allocation. Equal integers of all types then
/// have equal bits, which a hit compares.
struct NameInteger {
  let digits: String
  /// The hash value of the integer as an `AnyHashable`, and so of each value that is equal to that.
  let hashValue: Int

  /// - Returns: `nil` for a value that is not such an integer.
  init?<Value>(_ value: Value) {
    if let value = Self.cast(value, to: Int.self) {
      self.init(integer: value)
    } else if let value = Self.cast(value, to: UInt.self) {
      self.init(integer: value)
    } else if let value = Self.cast(value, to: Int8.self) {
      self.init(integer: value)
    } else if let value = Self.cast(value, to: Int16.self) {
      self.init(integer: value)
    } else if let value = Self.cast(value, to: Int32.self) {
      self.init(integer: value)
    } else if let value = Self.cast(value, to: Int64.self) {
      self.init(integer: value)
    } else if let value = Self.cast(value, to: UInt8.self) {
      self.init(integer: value)
    } else if let value = Self.cast(value, to: UInt16.self) {
      self.init(integer: value)
    } else if let value = Self.cast(value, to: UInt32.self) {
      self.init(integer: value)
    } else if let value = Self.cast(value, to: UInt64.self) {
      self.init(integer: value)
    } else {
      return nil
    }
  }

  private init(integer: some FixedWidthInteger) {
    digits = String(integer)
    // Widened, integers of all types are hashed alike; -1 and `UInt64.max` may share a hash.
    hashValue = UInt64(truncatingIfNeeded: integer).hashValue
  }

  /// The integer of these digits, for a comparison with a value of another type.
  static func hashable(digits: String) -> AnyHashable? {
    Int64(digits).map { AnyHashable($0) } ?? UInt64(digits).map { AnyHashable($0) }
  }

  @inline(__always)
  private static func cast<Value, Integer>(_ value: Value, to type: Integer.Type) -> Integer? {
    guard Value.self == type else { return nil }
    // SAFETY: it is the same type.
    return unsafe unsafeBitCast(value, to: Integer.self)
  }
}
