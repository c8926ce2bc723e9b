// SPDX-License-Identifier: MIT

internal import CCorinth

/// Types that are easily confused in source code, for hints in messages.

/// Whether the innermost type of another type, inside arrays and optionals, differs from that of a
/// type but looks alike.
func likeness(to type: any Any.Type) -> (_ other: any Any.Type) -> Bool {
  let type = innermostType(type)
  let name = roughName(of: type)
  return { other in
    let other = innermostType(other)
    return type != other && name == roughName(of: other)
  }
}

/// The name of a type without `@Sendable`, labels, or an existential's primary associated types.
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

/// The file of the program or library that declares a type; `nil` if unknown.
///
/// A module linked statically into several files has its types once in every file.
func image(of type: any Any.Type) -> String? {
  guard let declaration = unsafe declaration(of: innermostType(type)) else { return nil }
  return unsafe corinth_image_path(declaration).map { unsafe String(cString: $0) }
}

/// An address in the image that declares a type: behind metadata, which may be made at run time.
///
/// - SeeAlso: `TargetValueMetadata`, `TargetClassMetadata`, `TargetExtendedExistentialTypeMetadata`
private func declaration(of type: any Any.Type) -> UnsafeRawPointer? {
  if let existential = unsafe firstProtocol(of: type) { return unsafe existential }
  let (structure, enumeration, extendedExistential): (UInt, UInt, UInt) = (0x200, 0x201, 0x307)
  let metadata = unsafe UnsafePointer<UInt>(bitPattern: identity(of: type)).unsafelyUnwrapped
  // SAFETY: metadata is never freed, and starts with the kind, which decides the next words.
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
