// SPDX-License-Identifier: MIT

/// Identifies an instance in an ``InstanceTable``.
///
/// Not copyable: a copy counts a reference to the arguments.
struct EntryKey: ~Copyable, Sendable {
  let registration: ObjectIdentifier
  /// The container of the instance, where a table serves several containers.
  let container: ObjectIdentifier
  /// The arguments of the instance, if the factory takes any.
  let arguments: AnyArguments?
  /// Equal keys have equal hashes. The upper bits are the well-mixed ones.
  let hash: UInt64

  /// - Parameter arguments: count if they are a key.
  init(registration: AnyObject, container: AnyObject, arguments: AnyArguments?) {
    self.registration = ObjectIdentifier(registration)
    self.container = ObjectIdentifier(container)
    self.arguments = arguments?.hashing == nil ? nil : arguments
    let values = arguments?.hash ?? 0
    hash = Self.hash(ObjectIdentifier(registration), container, values: values)
  }

  /// The key of an entry without a registration, whose values the entry itself has.
  init(kind: ObjectIdentifier, container: AnyObject, hash: UInt64) {
    registration = kind
    self.container = ObjectIdentifier(container)
    arguments = nil
    self.hash = hash
  }

  init(copying key: borrowing EntryKey) {
    registration = key.registration
    container = key.container
    arguments = key.arguments
    hash = key.hash
  }

  /// - Parameter values: the hash of the arguments, 0 for none.
  @inline(__always)
  static func hash(
    _ registration: ObjectIdentifier, _ container: AnyObject, values: UInt64
  ) -> UInt64 {
    // Fibonacci hashing, as in corinth_hash. Clients cannot choose the addresses, and the hash of
    // the values is made by Hasher, which is keyed.
    let identity = bits(registration) ^ bits(ObjectIdentifier(container)) &>> 4
    return (identity ^ values) &* 0x9E37_79B9_7F4A_7C15
  }

  /// Whether the keys are equal, provided the values are. Runs no user code.
  func mayEqual(_ other: borrowing EntryKey) -> Bool {
    hash == other.hash && registration == other.registration && container == other.container
      && (arguments == nil) == (other.arguments == nil)
  }

  @inline(__always)
  func isOf(kind: ObjectIdentifier, _ container: AnyObject) -> Bool {
    registration == kind && self.container == ObjectIdentifier(container)
  }

  /// Whether the values of keys that ``mayEqual(_:)`` are equal too. Runs the arguments' `==`.
  func hasValues(of other: borrowing EntryKey) -> Bool {
    guard let arguments, let others = other.arguments else { return true }
    return arguments.areEqual(to: others)
  }

  private static func bits(_ object: ObjectIdentifier) -> UInt64 {
    UInt64(UInt(bitPattern: object))
  }
}
