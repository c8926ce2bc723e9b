// SPDX-License-Identifier: MIT

/// The properties of a type that the metadata shows without an instance.
enum TypeKind {
  /// A type without class instances.
  case value
  /// A type of tuples, which are never class instances.
  case tuple
  /// A type whose instances are class instances, or may be (an existential).
  case possiblyReference

  /// - SeeAlso: `MetadataKind` in the Swift ABI: the first word of a type's metadata. Classes hold
  ///   0 or an address there.
  init(of type: any Any.Type) {
    // An error's existential boxes its value, even an object: a weak reference to it has no use.
    if type == (any Error).self {
      self = .value
      return
    }
    if type is AnyClass {
      self = .possiblyReference
      return
    }
    let (tuple, existential, extendedExistential): (UInt, UInt, UInt) = (0x301, 0x303, 0x307)
    switch kindWord(of: type) {
    case tuple: self = .tuple
    case existential, extendedExistential: self = .possiblyReference
    default: self = .value
    }
  }
}

/// Whether a type's instances have other types: a protocol, `Any`, or the metatype of a protocol.
///
/// - SeeAlso: `MetadataKind` in the Swift ABI.
func isErased(_ type: any Any.Type) -> Bool {
  let (existential, existentialMetatype, extendedExistential): (UInt, UInt, UInt) = (
    0x303, 0x306, 0x307
  )
  return [existential, existentialMetatype, extendedExistential].contains(kindWord(of: type))
}

/// The address of a type's metadata, unique within the process.
@inlinable @_transparent
func identity(of type: any Any.Type) -> UInt {
  UInt(bitPattern: ObjectIdentifier(type))
}

/// Whether a type is `T?` for a `T`. Three instructions: every wired parameter is asked.
@inline(__always)
package func isOptional(_ type: any Any.Type) -> Bool {
  let optional: UInt = 0x202
  return kindWord(of: type) == optional
}

/// Whether a type is a generic struct or enum with given parameters, `Optional` excluded. A failing
/// cast to a protocol takes 1,500 instructions: only for types that pass, a cast is worth trying.
///
/// - SeeAlso: `TargetValueMetadata` and `ContextDescriptorFlags` in the Swift ABI: the kind, the
///   address of the descriptor, and in its first word a flag.
@inlinable @inline(__always)
func isGenericValue(_ type: any Any.Type) -> Bool {
  let (structure, enumeration): (UInt, UInt) = (0x200, 0x201)
  let isGeneric: UInt32 = 0x80
  let kind = kindWord(of: type)
  guard kind == structure || kind == enumeration else { return false }
  // SAFETY: metadata is never freed; in a struct or enum, the second word is the address of the
  // descriptor, which is constant.
  let metadata = unsafe UnsafePointer<UInt>(bitPattern: identity(of: type)).unsafelyUnwrapped
  let descriptor = unsafe UnsafePointer<UInt32>(bitPattern: metadata[1])
  return unsafe descriptor.unsafelyUnwrapped.pointee & isGeneric != 0
}

/// Whether a type is a class. The cast is for classes of other languages.
@inline(__always)
func isClass(_ type: any Any.Type) -> Bool {
  let (kind, lastKind): (UInt, UInt) = (kindWord(of: type), 0x7ff)
  return kind == 0 || kind > lastKind || type is AnyClass
}

/// Whether a type is a generic class of Swift with given parameters: see ``isGenericValue(_:)``.
///
/// - SeeAlso: `TargetClassMetadata` in the Swift ABI: with Objective-C, three more words precede
///   the descriptor; the last of the three says whether the class is a Swift class.
package func isGenericClass(_ type: any Any.Type) -> Bool {
  let isGeneric: UInt32 = 0x80
  guard type is AnyClass else { return false }
  // SAFETY: as above.
  let metadata = unsafe UnsafePointer<UInt>(bitPattern: identity(of: type)).unsafelyUnwrapped
  #if canImport(ObjectiveC)
    guard unsafe metadata[4] & 2 != 0 else { return false }
    let address = unsafe metadata[8]
  #else
    let address = unsafe metadata[5]
  #endif
  guard let descriptor = unsafe UnsafePointer<UInt32>(bitPattern: address) else { return false }
  return unsafe descriptor.pointee & isGeneric != 0
}

/// The first word of a type's metadata: the kind, or an address for some classes.
@inlinable @inline(__always)
func kindWord(of type: any Any.Type) -> UInt {
  // SAFETY: metadata is never freed and starts with the kind, or with an address.
  unsafe UnsafePointer<UInt>(bitPattern: identity(of: type)).unsafelyUnwrapped.pointee
}
