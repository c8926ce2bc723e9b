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
