// SPDX-License-Identifier: MIT

public import CCorinth

/// A key as the registry compares keys: addresses and bits, valid while the key's name is.
@usableFromInline
@frozen
struct KeyWords {
  @usableFromInline let words: corinth_key
  @usableFromInline let hash: UInt64

  @inlinable @inline(__always)
  init(type: UInt, name: NameBits?, arguments: UInt) {
    words = corinth_key(
      product: corinth_product(type, name != nil || arguments != 0, arguments != 0),
      arguments: arguments,
      name_hash: name?.hash ?? 0,
      name_bits: (name?.first ?? 0, name?.second ?? 0))
    hash = corinth_hash(type, name?.hash ?? 0, arguments)
  }

  /// - Parameter hash: the hash of the key, which has a name and no arguments.
  @inlinable @inline(__always)
  init(product: UInt, name: NameBits, hash: UInt64) {
    words = corinth_key(
      product: product, arguments: 0, name_hash: name.hash, name_bits: (name.first, name.second))
    self.hash = hash
  }

  var product: UInt { words.product }

  // Inlined: as a call, it would have the key copied.
  @inline(__always)
  init(_ key: borrowing RegistrationKey) {
    self.init(
      type: identity(of: key.product), name: key.name.map { NameBits($0) },
      arguments: key.arguments.map { identity(of: $0) } ?? 0)
  }
}

extension RegistrationKey {
  /// The key in a slot.
  init(_ words: corinth_key) {
    self.init(
      product: unsafe RegistrationKey.type(at: corinth_product_type(words.product))
        .unsafelyUnwrapped,
      name: NameBits(words).name,
      arguments: RegistrationKey.type(at: words.arguments))
  }

  private static func type(at identity: UInt) -> (any Any.Type)? {
    // SAFETY: slots are only made from the identities of types; 0 stands for none, as it does in
    // an optional metatype.
    unsafe unsafeBitCast(identity, to: Optional<any Any.Type>.self)
  }
}
