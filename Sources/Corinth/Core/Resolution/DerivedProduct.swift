// SPDX-License-Identifier: MIT

/// A type that resolves without a registration of its own, by the registrations of the type that it is made of.
///
/// A registration of the type itself comes first: these functions are called when there is none.
protocol DerivedProduct {
  /// The type that it is made of.
  static var content: any Any.Type { get }
  /// The role of the content for the instance that depends on it.
  static var dependencyKind: Dependency.Kind { get }
  /// The name of the content's registration.
  ///
  /// - Parameter name: the name that this type is resolved by.
  static func contentName(_ name: Name?) -> Name?
  /// Throws the error of a missing key if a registration is missing that this needs from the start.
  static func require(named name: Name?, in core: ContainerCore) throws(ResolutionError)

  /// An instance. Its box is an `InstanceBox<Self>`.
  static func box(
    named name: Name?, in core: ContainerCore, within context: ResolutionContext?
  ) throws(ResolutionError) -> AnyInstanceBox

  /// The same for a task; `nil` if nothing has to be awaited.
  static func redirect(
    named name: Name?, in core: ContainerCore
  ) throws(ResolutionError) -> Redirect?
}

extension DerivedProduct {
  static func contentName(_ name: Name?) -> Name? { name }

  /// Whether an array of this type has an element for each registration of the content.
  static var isDerivedPerRegistration: Bool { [.lazy, .provider].contains(dependencyKind) }

  static func require(named name: Name?, in core: ContainerCore) throws(ResolutionError) {
    try core.require(RegistrationKey(product: content, name: name))
  }

  static func redirect(
    named name: Name?, in core: ContainerCore
  ) throws(ResolutionError) -> Redirect? { nil }
}

/// Whether a type is worth the cast that tells whether it is a derived product.
@inlinable @inline(__always)
func mayBeDerived(_ type: any Any.Type) -> Bool {
  isGenericValue(type) || type == ScopeFactory.self
}

/// The derived product that a type is; `nil` for all other types, at little cost for most of them.
func derivedProduct(_ type: any Any.Type) -> (any DerivedProduct.Type)? {
  mayBeDerived(type) ? type as? any DerivedProduct.Type : nil
}

extension RegistrationKey {
  /// The derived product that a key without a registration is of; `nil` if nothing serves it.
  var derived: (any DerivedProduct.Type)? {
    arguments == nil ? derivedProduct(product) : nil
  }
}

extension ContainerCore {
  /// An instance of a key without a registration.
  @inline(never)
  func derivedBox(
    of key: RegistrationKey, within context: ResolutionContext?
  ) throws(ResolutionError) -> AnyInstanceBox {
    try derivation(of: key).box(named: key.name, in: self, within: context)
  }

  /// What a key without a registration is derived by.
  func derivation(of key: RegistrationKey) throws(ResolutionError) -> any DerivedProduct.Type {
    guard let derived = key.derived else { throw notFound(key) }
    return derived
  }

  /// Throws the error of the key that is missing, if there is neither a registration of this one nor what it can be
  /// derived from.
  func require(_ key: RegistrationKey) throws(ResolutionError) {
    if registeredSlot(of: key) == nil {
      guard let derived = key.derived else { throw missing(key) }
      try derived.require(named: key.name, in: self)
    }
    if Composition.isUsed { Observation.current.run?.note(key, .later, from: self) }
  }

  /// Whether an instance of a type without a registration can be derived from others.
  ///
  /// - Throws: what keeps that from being known: the container may have been closed meanwhile.
  func canDerive(
    _ type: any Any.Type, named name: Name?
  ) throws(ResolutionError) -> Bool {
    guard let derived = derivedProduct(type) else { return false }
    do throws(ResolutionError) {
      try derived.require(named: name, in: self)
      return true
    } catch {
      if case .noRegistrationFound = error { return false }
      throw error
    }
  }
}
