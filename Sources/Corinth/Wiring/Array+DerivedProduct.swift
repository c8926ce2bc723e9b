// SPDX-License-Identifier: MIT

/// All registrations of the element's type. An array of providers or lazy values has an element per
/// registration of the type that the elements resolve.
extension Array: DerivedProduct {
  static var content: any Any.Type { Element.self }
  static var dependencyKind: Dependency.Kind { .collection }

  /// An array without elements is an error: the cause may well be a missing registration.
  static func require(named name: Name?, in core: ContainerCore) throws(ResolutionError) {
    if name == nil {
      if try !core.collectedSlots(of: Element.self).isEmpty { return }
      if let content = contentPerRegistration, try !core.collectedSlots(of: content).isEmpty {
        return
      }
    }
    throw core.missing(Self.self, name: name)
  }

  static func box(
    named name: Name?, in core: ContainerCore, within context: ResolutionContext?
  ) throws(ResolutionError) -> AnyInstanceBox {
    if try derivesElements(named: name, in: core) {
      return try box(of: derivedElements(in: core, within: context), in: core)
    }
    do {
      return try box(of: core.resolveAll(Element.self, within: context), in: core)
    } catch {
      throw ResolutionError(ofResolve: error)
    }
  }

  static func redirect(
    named name: Name?, in core: ContainerCore
  ) throws(ResolutionError) -> Redirect? {
    if try derivesElements(named: name, in: core) { return nil }
    return try core.redirect(toAll: Element.self) { try box(of: $0, in: core) }
  }

  private static func box(
    of elements: [Element], in core: ContainerCore
  ) throws(ResolutionError) -> AnyInstanceBox {
    if elements.isEmpty { throw core.missing(Self.self, name: nil) }
    return InstanceBox(elements)
  }

  /// Whether the elements are derived themselves, individually; `false` if the elements are
  /// registered.
  ///
  /// - Throws: the error of a missing key, if the array has a name or the elements would be derived
  ///   from nothing.
  private static func derivesElements(
    named name: Name?, in core: ContainerCore
  ) throws(ResolutionError) -> Bool {
    if name == nil, contentPerRegistration == nil { return false }
    try require(named: name, in: core)
    return try core.collectedSlots(of: Element.self).isEmpty
  }

  private static func derivedElements(
    in core: ContainerCore, within context: ResolutionContext?
  ) throws(ResolutionError) -> [Element] {
    guard let content = contentPerRegistration, let element = derivedProduct(Element.self) else {
      return []
    }
    var elements: [Element] = []
    for slot in try core.collectedSlots(of: content) {
      do throws(ResolutionError) {
        let box = try element.box(named: slot.name, in: core, within: context)
        elements.append(box.instance(of: Element.self))
      } catch {
        // A registration that has been removed meanwhile is left out, as in `resolveAll`.
        if !error.isMissing(slot) { throw error }
      }
    }
    return elements
  }

  /// The type from whose registrations the elements are derived, individually.
  private static var contentPerRegistration: (any Any.Type)? {
    var content: any Any.Type = Element.self
    while let derived = derivedProduct(content), derived.isDerivedPerRegistration {
      content = derived.content
    }
    return content == Element.self ? nil : content
  }
}
