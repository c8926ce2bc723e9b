// SPDX-License-Identifier: MIT

public import CCorinth

/// A key as the registry compares it: addresses and bits, valid while the name they stem from is.
@usableFromInline
struct KeyWords {
  @usableFromInline let words: corinth_key
  @usableFromInline let hash: UInt64

  @inlinable @inline(__always)
  init(type: UInt, name: NameBits?, arguments: UInt) {
    words = corinth_key(
      product: corinth_product(type, name != nil || arguments != 0), arguments: arguments,
      name_hash: name?.hash ?? 0,
      name_bits: (name?.first ?? 0, name?.second ?? 0))
    hash = corinth_hash(type, name?.hash ?? 0, arguments)
  }

  init(_ key: borrowing RegistrationKey) {
    self.init(
      type: identity(of: key.product), name: key.name.map { NameBits($0) },
      arguments: key.arguments.map { identity(of: $0) } ?? 0)
  }
}

/// The address of a type's metadata, which is unique within the process.
@inlinable @inline(__always)
func identity(of type: any Any.Type) -> UInt {
  UInt(bitPattern: ObjectIdentifier(type))
}

extension RegistrationKey {
  /// The key that a slot holds.
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

/// What can be told of a type without an instance of it.
enum TypeKind {
  /// Its instances are never class instances.
  case value
  /// Its instances are tuples, which are never class instances.
  case tuple
  /// Its instances are class instances, or may be (an existential).
  case possiblyReference

  /// - SeeAlso: `MetadataKind` in the Swift ABI: the first word of a type's metadata. Classes hold
  ///   0 or an address there.
  init(of type: any Any.Type) {
    // An error's existential boxes what it holds, class instances too: nothing that could be held weakly.
    if type == (any Error).self {
      self = .value
      return
    }
    if type is AnyClass {
      self = .possiblyReference
      return
    }
    // SAFETY: metadata is never freed and starts with its kind.
    let kind = unsafe UnsafePointer<UInt>(bitPattern: identity(of: type)).unsafelyUnwrapped.pointee
    let (tuple, existential, extendedExistential): (UInt, UInt, UInt) = (0x301, 0x303, 0x307)
    switch kind {
    case tuple: self = .tuple
    case existential, extendedExistential: self = .possiblyReference
    default: self = .value
    }
  }
}
