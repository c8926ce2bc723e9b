// SPDX-License-Identifier: MIT

/// The properties of a registration that a validation reads.
extension RegistrationRecord {
  final var place: ValidationFinding.Place {
    ValidationFinding.Place(key: key, location: location)
  }

  /// Whether a request scope must be made with a value: an optional input is nil without.
  final var isNeededInput: Bool { isInput && !isOptional(key.product) }

  // MARK: - Dependencies

  /// Whether a closure builds the instances, and the closure's dependencies were not declared.
  final var isFactoryUnknown: Bool {
    let attributes = attributes
    return attributes.parameters == nil && attributes.declaredDependencies == nil
      && !(isConstant || isForwarding || isInput || isBuiltByItsCaller)
  }

  /// The part of a registration that may resolve anything.
  final var unknownPart: String {
    if isFactoryUnknown { return "its factory is a closure" }
    if !lifecycle.afterInit.isEmpty { return "its afterInit actions are closures" }
    if lifecycle.customStorage != nil { return "its instances are stored by a CustomStorage" }
    return "its decorators are closures"
  }

  /// Whether the dependencies are known without a recording.
  func areDependenciesDeclared(_ container: ContainerCore) -> Bool {
    let isDeclared = attributes.declaredDependencies != nil
    let isPlain =
      lifecycle.afterInit.isEmpty && lifecycle.customStorage == nil
      && decorators(of: container).isEmpty
    return !isFactoryUnknown && (isPlain || isDeclared)
  }

  // MARK: - Waiting

  /// Whether the factory may wait for dependencies: not if only the actions are asynchronous.
  final var hasAsynchronousFactory: Bool { factoryKind == .asynchronous }

  /// Whether all resolves of the key get one instance.
  final var isSharedUnderItsKey: Bool {
    policy.isPublishedToSlot && key.arguments == nil
  }

  /// Whether the shared instance has been built.
  final var isThere: Bool { isSharedUnderItsKey && storesInstance }
}
