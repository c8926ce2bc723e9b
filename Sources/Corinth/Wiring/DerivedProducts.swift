// SPDX-License-Identifier: MIT

extension Provider: DerivedProduct {
  static var content: any Any.Type { Product.self }
  static var dependencyKind: Dependency.Kind { .provider }

  static func box(
    named name: Name?, in core: ContainerCore, within context: ResolutionContext?
  ) throws(ResolutionError) -> AnyInstanceBox {
    DeferredDependencies.note(in: core)
    return InstanceBox(try Provider(Product.self, name: name, in: core, keeping: nil))
  }
}

extension Lazy: DerivedProduct {
  static var content: any Any.Type { Product.self }
  static var dependencyKind: Dependency.Kind { .lazy }

  static func box(
    named name: Name?, in core: ContainerCore, within context: ResolutionContext?
  ) throws(ResolutionError) -> AnyInstanceBox {
    let target = RegistrationKey(product: Product.self, name: name)
    try target.require(in: core)
    let key = RegistrationKey(product: Self.self, name: name)
    DeferredDependencies.note(in: core)
    DeferredDependencies.noteLaterResolve(of: target, in: core)
    return InstanceBox(Lazy(DeferredInstance(key, resolving: target, in: core)))
  }
}

extension Named: DerivedProduct {
  static var content: any Any.Type { Product.self }
  static var dependencyKind: Dependency.Kind { .required }

  static func contentName(_ name: Name?) -> Name? { Marker.name }

  /// The key of the named registration. The name is the marker's: no registration is found under
  /// any other name.
  private static func target(
    _ name: Name?, in core: ContainerCore
  ) throws(ResolutionError) -> RegistrationKey {
    guard name == nil else { throw core.missing(Self.self, name: name) }
    return RegistrationKey(product: Product.self, name: Marker.name)
  }

  static func require(named name: Name?, in core: ContainerCore) throws(ResolutionError) {
    try target(name, in: core).require(in: core)
  }

  static func box(
    named name: Name?, in core: ContainerCore, within context: ResolutionContext?
  ) throws(ResolutionError) -> AnyInstanceBox {
    let box = try core.box(of: target(name, in: core), arguments: nil, within: context)
    return InstanceBox(Named(box.instance(of: Product.self)))
  }

  static func redirect(
    named name: Name?, in core: ContainerCore
  ) throws(ResolutionError) -> Redirect? {
    Redirect(goal: .each, keys: [try target(name, in: core)]) { served in
      InstanceBox(Named(served[0].box.instance(of: Product.self)))
    }
  }
}
