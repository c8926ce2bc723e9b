// SPDX-License-Identifier: MIT

/// What tells an instance from the others that are kept in one place.
///
/// Copied where it is kept only: copies of its values count references.
struct EntryKey: ~Copyable, Sendable {
  let registration: ObjectIdentifier
  /// The container whose instance it is, where one place serves several.
  let container: ObjectIdentifier
  /// What tells it from other instances of its registration, when the factory takes arguments.
  let values: ArgumentValues?
  /// Equal keys have equal ones. The upper bits are the well-mixed ones.
  let hash: UInt64

  init(registration: AnyObject, container: AnyObject, values: ArgumentValues?) {
    self.registration = ObjectIdentifier(registration)
    self.container = ObjectIdentifier(container)
    self.values = values
    // Fibonacci hashing, as in corinth_hash. The addresses are not for others to choose, and the values' hash
    // is Hasher's.
    let identity = Self.bits(self.registration) ^ Self.bits(self.container) &>> 4
    hash = (identity ^ (values?.hash ?? 0)) &* 0x9E37_79B9_7F4A_7C15
  }

  init(copying key: borrowing EntryKey) {
    registration = key.registration
    container = key.container
    values = key.values
    hash = key.hash
  }

  /// Whether it equals a key, if their values are equal. Runs no code of the user's.
  func mayEqual(_ other: borrowing EntryKey) -> Bool {
    hash == other.hash && registration == other.registration && container == other.container
      && (values == nil) == (other.values == nil)
  }

  /// Whether it equals a key that it may equal. Runs the `==` of the arguments' values.
  func hasValues(of other: borrowing EntryKey) -> Bool {
    guard let values, let others = other.values else { return true }
    return values === others || values.areEqual(to: others)
  }

  private static func bits(_ object: ObjectIdentifier) -> UInt64 {
    UInt64(UInt(bitPattern: object))
  }
}
