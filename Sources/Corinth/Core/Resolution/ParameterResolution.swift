// SPDX-License-Identifier: MIT

/// An optional parameter or property: `nil` without a registration. An optional's resolve throws.
protocol OptionalProduct {
  /// The box is an `InstanceBox<Self>`.
  static func parameterBox(
    named name: Name?, in core: ContainerCore, within context: ResolutionContext?
  ) throws -> AnyInstanceBox

  /// As `parameterBox`, for a task.
  static func parameterRedirect(in core: ContainerCore) throws -> Redirect
}

/// A type as an optional; `nil` for all other types.
func optionalProduct(_ type: any Any.Type) -> (any OptionalProduct.Type)? {
  isOptional(type) ? type as? any OptionalProduct.Type : nil
}

extension Optional: OptionalProduct {
  static func parameterBox(
    named name: Name?, in core: ContainerCore, within context: ResolutionContext?
  ) throws -> AnyInstanceBox {
    if let own = try core.resolveIfRegistered(Self.self, name: name, within: context) {
      return InstanceBox(own)
    }
    return InstanceBox(try core.resolveIfRegistered(Wrapped.self, name: name, within: context))
  }

  static func parameterRedirect(in core: ContainerCore) throws -> Redirect {
    try core.redirect(
      toFirst: [RegistrationKey(product: Self.self), RegistrationKey(product: Wrapped.self)],
      orDerived: Wrapped.self)
  }
}

extension ContainerCore {
  /// Resolves a property, or a parameter of a wired initializer that misses the cache.
  @inline(never)
  func resolveParameter<Parameter>(
    _ type: Parameter.Type, name: Name? = nil, within context: ResolutionContext?
  ) throws -> Parameter {
    guard let optional = optionalProduct(type) else {
      return try resolveInherited(type, name: name, within: context)
    }
    return try optional.parameterBox(named: name, in: self, within: context).instance(of: type)
  }

  nonisolated(nonsending)
    func resolveParameterAsync<Parameter>(
      _ type: Parameter.Type, within context: ResolutionContext?
    ) async throws -> Parameter
  {
    guard let redirect = try optionalProduct(type)?.parameterRedirect(in: self) else {
      return try await resolveAsync(type, name: nil, within: context)
    }
    return try await boxAsync(of: redirect, within: context).instance(of: type)
  }
}
