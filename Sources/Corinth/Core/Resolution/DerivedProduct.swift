// SPDX-License-Identifier: MIT

/// A type that needs no registration: derived from registrations of the type's content.
///
/// A registration of the type itself comes first: the functions are called only without one.
protocol DerivedProduct {
  /// The type of the content.
  static var content: any Any.Type { get }
  /// The role of the content for the dependent instance.
  static var dependencyKind: Dependency.Kind { get }
  /// The name of the content's registration.
  ///
  /// - Parameter name: the name in the resolve of the derived type.
  static func contentName(_ name: Name?) -> Name?
  /// Throws the error of a missing key if a registration needed from the start is missing.
  static func require(named name: Name?, in core: ContainerCore) throws(ResolutionError)

  /// An instance, in a box of class `InstanceBox<Self>`.
  static func box(
    named name: Name?, in core: ContainerCore, within context: ResolutionContext?
  ) throws(ResolutionError) -> AnyInstanceBox

  /// As `box`, for a task; `nil` without anything to await.
  static func redirect(
    named name: Name?, in core: ContainerCore
  ) throws(ResolutionError) -> Redirect?
}

extension DerivedProduct {
  static func contentName(_ name: Name?) -> Name? { name }

  /// Whether an array of the type has an element for every registration of the content.
  static var isDerivedPerRegistration: Bool { [.lazy, .provider].contains(dependencyKind) }

  static func require(named name: Name?, in core: ContainerCore) throws(ResolutionError) {
    try RegistrationKey(product: content, name: name).require(in: core)
  }

  static func redirect(
    named name: Name?, in core: ContainerCore
  ) throws(ResolutionError) -> Redirect? { nil }
}

/// Whether a type is worth a cast to find out about a derived product.
@inlinable @inline(__always)
func mayBeDerived(_ type: any Any.Type) -> Bool {
  isGenericValue(type) || type == ScopeFactory.self
}

/// A type as a derived product; `nil` for all other types, at little cost for most types.
func derivedProduct(_ type: any Any.Type) -> (any DerivedProduct.Type)? {
  mayBeDerived(type) ? type as? any DerivedProduct.Type : nil
}

/// Whether an instance of an unregistered type can be derived from registrations.
///
/// - Throws: an error that leaves the question open, as the container may just have closed.
func canDerive(
  _ type: any Any.Type, named name: Name?, in core: ContainerCore
) throws(ResolutionError) -> Bool {
  guard let derived = derivedProduct(type) else { return false }
  do throws(ResolutionError) {
    try derived.require(named: name, in: core)
    return true
  } catch {
    if case .noRegistrationFound = error { return false }
    throw error
  }
}

extension RegistrationKey {
  /// The derived product of a key without a registration; `nil` if nothing serves the key.
  var derived: (any DerivedProduct.Type)? {
    arguments == nil ? derivedProduct(product) : nil
  }

  /// The derivation of a key without a registration.
  func derivation(in core: ContainerCore) throws(ResolutionError) -> any DerivedProduct.Type {
    guard let derived else { throw core.notFound(self) }
    return derived
  }

  /// An instance of a key without a registration.
  @inline(never)
  func derivedBox(
    in core: ContainerCore, within context: ResolutionContext?
  ) throws(ResolutionError) -> AnyInstanceBox {
    try derivation(in: core).box(named: name, in: core, within: context)
  }

  /// Throws the error of the missing key, if the key has neither a registration nor registrations
  /// to derive an instance from.
  func require(in core: ContainerCore) throws(ResolutionError) {
    if core.registeredSlot(of: self) == nil {
      guard let derived else { throw core.missing(self) }
      try derived.require(named: name, in: core)
    }
    if Composition.isUsed { Observation.current.run?.note(self, .later, from: core) }
  }
}
