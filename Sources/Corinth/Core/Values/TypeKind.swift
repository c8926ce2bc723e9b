// SPDX-License-Identifier: MIT

/// The properties of a type that its metadata shows without an instance.
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
    // An error's existential boxes its value, class instances too: a weak reference to the box would be of no use.
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

/// The address of a type's metadata, which is unique within the process.
@inlinable @inline(__always)
func identity(of type: any Any.Type) -> UInt {
  UInt(bitPattern: ObjectIdentifier(type))
}
