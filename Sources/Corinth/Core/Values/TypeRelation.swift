// SPDX-License-Identifier: MIT

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// Whether the instances of a type are instances of another type, as far as metadata tells: a class
/// and its superclass, or a type and the protocols of the type. For hints in messages.
func isSubtype(_ type: any Any.Type, of other: any Any.Type) -> Bool {
  if type == other { return false }
  func isMetatype<Other>(of _: Other.Type) -> Bool { type is Other.Type }
  if _openExistential(other, do: isMetatype) { return true }
  let protocols = requiredProtocols(of: other)
  return protocols.count > 0 && protocols.allSatisfy { conforms(type, to: $0) }
}

/// Whether instances registered under a type may serve a second type, as far as metadata tells.
enum Servability {
  case possible
  /// The class does not conform: a subclass may.
  case bySubclassOnly
  case impossible
}

/// Says nothing against types that only a cast can judge: optionals, existentials, bridged types.
func servability(of type: any Any.Type, as other: any Any.Type) -> Servability {
  if type == other || isSubtype(type, of: other) { return .possible }
  let isClass = type is AnyClass
  if isClass, other is AnyClass { return isSubtype(other, of: type) ? .possible : .impossible }
  let (structure, enumeration): (UInt, UInt) = (0x200, 0x201)
  let kind = kindWord(of: type)
  let isJudged = isClass || kind == structure || kind == enumeration
  guard isJudged, unsafe conformsToProtocol != nil, isExistential(other) else { return .possible }
  return isClass ? .bySubclassOnly : .impossible
}

/// The optional of a type.
func optional(of type: any Any.Type) -> any Any.Type {
  func optional<Wrapped>(_: Wrapped.Type) -> any Any.Type { Wrapped?.self }
  return _openExistential(type, do: optional)
}

/// Whether the first type is the optional of the second.
func isOptional(_ type: any Any.Type, of wrapped: any Any.Type) -> Bool {
  type == optional(of: wrapped)
}

/// Whether the type is `any P` for some protocols. `Any` and `AnyObject` have none.
func isExistential(_ type: any Any.Type) -> Bool { requiredProtocols(of: type).count > 0 }

/// The descriptor of an existential's first protocol, in the declaring image; otherwise `nil`.
func firstProtocol(of type: any Any.Type) -> UnsafeRawPointer? {
  unsafe requiredProtocols(of: type).first?.address
}

/// The descriptor of a protocol.
@safe
private struct ProtocolDescriptor {
  let address: UnsafeRawPointer
}

/// The protocols of an existential type; none for all other types.
///
/// - SeeAlso: `TargetExistentialTypeMetadata` in the Swift ABI: the kind, flags and the number of
///   protocols, a superclass if a flag says so, and the protocols.
private func requiredProtocols(of type: any Any.Type) -> [ProtocolDescriptor] {
  if type is AnyClass { return [] }
  let (existential, hasSuperclass): (UInt, UInt32) = (0x303, 0x4000_0000)
  // SAFETY: metadata is never freed and starts with the kind, which decides the next words.
  let metadata = unsafe UnsafeRawPointer(bitPattern: identity(of: type)).unsafelyUnwrapped
  guard unsafe metadata.load(as: UInt.self) == existential else { return [] }
  let word = MemoryLayout<UInt>.size
  let flags = unsafe metadata.load(fromByteOffset: word, as: UInt32.self)
  let count = unsafe Int(metadata.load(fromByteOffset: word + 4, as: UInt32.self))
  let first = word + 8 + (flags & hasSuperclass == 0 ? 0 : word)
  let protocols = (0..<count).map {
    let offset = first + $0 * word
    return unsafe ProtocolDescriptor(
      address: metadata.load(fromByteOffset: offset, as: UnsafeRawPointer.self))
  }
  // Protocols of Objective-C are marked by the lowest bit, and cannot be asked for.
  return protocols.contains { unsafe UInt(bitPattern: $0.address) & 1 != 0 } ? [] : protocols
}

/// The global actor of a type's conformance to an existential's protocols; `nil` without an actor,
/// or without a conformance.
func actor(ofConformanceOf type: any Any.Type, to existential: any Any.Type) -> (any Any.Type)? {
  let protocols = requiredProtocols(of: existential)
  let found = protocols.map { conformance(of: type, to: $0) }
  guard found.allSatisfy({ $0 != nil }) else { return nil }
  return found.firstResult { $0?.actor }
}

/// A conformance, as far as the Swift runtime can be asked.
private struct Conformance {
  /// The global actor of the conformance.
  var actor: (any Any.Type)?
}

private func conforms(_ type: any Any.Type, to required: ProtocolDescriptor) -> Bool {
  conformance(of: type, to: required) != nil
}

/// - SeeAlso: `ConformanceExecutionContext` in the Swift runtime: actor type and witness table.
private func conformance(
  of type: any Any.Type, to required: ProtocolDescriptor
) -> Conformance? {
  guard let metadata = unsafe UnsafeRawPointer(bitPattern: identity(of: type)) else { return nil }
  // SAFETY: both addresses are metadata; the runtime writes two words, first metadata or 0.
  if let find = unsafe conformsToProtocolInContext {
    return unsafe withUnsafeTemporaryAllocation(of: UInt.self, capacity: 8) {
      context -> Conformance? in
      unsafe context.initialize(repeating: 0)
      guard unsafe find(metadata, required.address, context.baseAddress) != nil else { return nil }
      return unsafe Conformance(actor: unsafeBitCast(context[0], to: Optional<any Any.Type>.self))
    }
  }
  guard let find = unsafe conformsToProtocol else { return nil }
  return unsafe find(metadata, required.address) == nil ? nil : Conformance()
}

private typealias ConformsToProtocol =
  @convention(c) (UnsafeRawPointer, UnsafeRawPointer) -> UnsafeRawPointer?

private typealias ConformsToProtocolInContext =
  @convention(c) (UnsafeRawPointer, UnsafeRawPointer, UnsafeMutableRawPointer?) -> UnsafeRawPointer?

/// The Swift runtime's function, looked up once: a hint considers all keys of a container. `nil`,
/// and so no hint, in a statically linked program that does not export the function.
// SAFETY: the function is a part of the runtime's ABI, with this signature.
private let conformsToProtocol: ConformsToProtocol? = unsafe runtimeFunction(
  "swift_conformsToProtocol"
).map { unsafe unsafeBitCast($0, to: ConformsToProtocol.self) }

/// The function that also finds conformances of other actors, and tells the actor. Older runtimes
/// have neither the function nor such conformances.
// SAFETY: as above.
private let conformsToProtocolInContext: ConformsToProtocolInContext? = unsafe runtimeFunction(
  "swift_conformsToProtocolWithExecutionContext"
).map { unsafe unsafeBitCast($0, to: ConformsToProtocolInContext.self) }

private func runtimeFunction(_ name: String) -> UnsafeMutableRawPointer? {
  unsafe dlsym(dlopen(nil, RTLD_LAZY), name)
}
