// SPDX-License-Identifier: MIT

internal import CCorinth

/// Types that are easily taken for each other in source code, for hints in messages.

/// Whether what two types are made of, as an array or an optional, has the same name, and is not the same type.
func areLookalikes(_ type: any Any.Type, _ other: any Any.Type) -> Bool {
  let (type, other) = (innermostType(type), innermostType(other))
  return type != other && roughName(of: type) == roughName(of: other)
}

/// The name of a type without `@Sendable`, without labels, and without the primary associated types of an existential.
private func roughName(of type: any Any.Type) -> String {
  let (tuple, function, extendedExistential): (UInt, UInt, UInt) = (0x301, 0x302, 0x307)
  let name = "\(type)"
  switch kindWord(of: type) {
  case tuple, function: return withoutLabels(name)
  case extendedExistential:
    let constrained = name.prefix { $0 != "<" }
    return String(constrained.hasPrefix("any ") ? constrained.dropFirst(4) : constrained)
  default: return name
  }
}

private func withoutLabels(_ name: String) -> String {
  var rough = ""
  for word in name.split(separator: " ") {
    let opening = word.prefix { "([".contains($0) }
    let rest = word.dropFirst(opening.count)
    rough += rest == "@Sendable" || rest.hasSuffix(":") ? opening : word + " "
  }
  return rough
}

/// The file of the program or library that declares a type; `nil` where that is not known.
///
/// A module that is linked statically into several of them has its types once in each.
func image(of type: any Any.Type) -> String? {
  guard let declaration = unsafe declaration(of: innermostType(type)) else { return nil }
  return unsafe corinth_image_path(declaration).map { unsafe String(cString: $0) }
}

/// An address in the image that declares a type. Metadata is made at run time for many types, but not what it leads to.
///
/// - SeeAlso: `TargetValueMetadata`, `TargetClassMetadata` and `TargetExtendedExistentialTypeMetadata` in the Swift ABI.
private func declaration(of type: any Any.Type) -> UnsafeRawPointer? {
  if let existential = unsafe firstProtocol(of: type) { return unsafe existential }
  let (structure, enumeration, extendedExistential): (UInt, UInt, UInt) = (0x200, 0x201, 0x307)
  let metadata = unsafe UnsafePointer<UInt>(bitPattern: identity(of: type)).unsafelyUnwrapped
  // SAFETY: metadata is never freed, and starts with its kind, which tells what follows.
  switch kindWord(of: type) {
  case structure, enumeration, extendedExistential:
    return unsafe UnsafeRawPointer(bitPattern: metadata[1])
  case _ where isClass(type):
    #if canImport(ObjectiveC)
      return unsafe UnsafeRawPointer(metadata)
    #else
      return unsafe UnsafeRawPointer(bitPattern: metadata[5])
    #endif
  default: return nil
  }
}
