// SPDX-License-Identifier: MIT

/// Tells an instance from the others in one ``InstanceTable``.
///
/// Not copyable: a copy counts a reference to the values.
struct EntryKey: ~Copyable, Sendable {
  let registration: ObjectIdentifier
  /// The container that the instance belongs to, where one table serves several.
  let container: ObjectIdentifier
  /// The arguments that the instance belongs to, when the factory takes any.
  let values: ArgumentValues?
  /// Equal keys have equal ones. The upper bits are the well-mixed ones.
  let hash: UInt64

  init(registration: AnyObject, container: AnyObject, values: ArgumentValues?) {
    self.registration = ObjectIdentifier(registration)
    self.container = ObjectIdentifier(container)
    self.values = values
    // Fibonacci hashing, as in corinth_hash. Clients cannot choose the addresses, and the hash of
    // the values is made by Hasher, which is keyed.
    let identity = Self.bits(self.registration) ^ Self.bits(self.container) &>> 4
    hash = (identity ^ (values?.hash ?? 0)) &* 0x9E37_79B9_7F4A_7C15
  }

  init(copying key: borrowing EntryKey) {
    registration = key.registration
    container = key.container
    values = key.values
    hash = key.hash
  }

  /// Whether the keys are equal if their values are. Runs no user code.
  func mayEqual(_ other: borrowing EntryKey) -> Bool {
    hash == other.hash && registration == other.registration && container == other.container
      && (values == nil) == (other.values == nil)
  }

  /// Whether the values of the keys are equal, too, which may be equal otherwise. Runs the `==` of
  /// the arguments.
  func hasValues(of other: borrowing EntryKey) -> Bool {
    guard let values, let others = other.values else { return true }
    return values === others || values.areEqual(to: others)
  }

  private static func bits(_ object: ObjectIdentifier) -> UInt64 {
    UInt64(UInt(bitPattern: object))
  }
}
