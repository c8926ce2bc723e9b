// SPDX-License-Identifier: MIT

/// Registrations of which nothing can be said.
extension RegistrationGraph {
  /// Those whose dependencies are not known completely, in the order of registration.
  var unknownRecords: [RegistrationRecord] {
    distinctRecords(of: nodes.indices.filter { !nodes[$0].areDependenciesKnown })
      .sorted { $0.serial < $1.serial }
  }

  /// One for each of them, for strict validation.
  var unknownFindings: [ValidationFinding] {
    unknownRecords.map { record in
      ValidationFinding(
        .unknown, of: [record],
        "What \(record.key) depends on is not known: \(record.unknownPart).",
        hints: hints(record))
    }
  }

  private func hints(_ record: RegistrationRecord) -> [String] {
    let isBuilding = !recorded.isEmpty
    return [
      record.isFactoryUnknown
        ? "register it with `wire`, or declare what it resolves with `.dependsOn(...)`."
        : "declare what these resolve with `.dependsOn(...)`.",
      isBuilding && record.isAsynchronous
        ? "or build with `try await validate(building: true)`, which builds asynchronous registrations too."
        : "or resolve it between `recordDependencies()` and the validation"
          + (isBuilding || record.key.arguments != nil
            ? ": building runs no factory with arguments."
            : ", or validate with `building: true`."),
    ]
  }
}

extension RegistrationRecord {
  /// Whether a closure builds the instances, and its dependencies were not declared.
  final var isFactoryUnknown: Bool {
    let attributes = attributes
    return attributes.parameters == nil && attributes.declaredDependencies == nil
      && !(isConstant || isForwarding || isInput || isBuiltByItsCaller)
  }

  /// What of it may resolve anything.
  fileprivate final var unknownPart: String {
    if isFactoryUnknown { return "its factory is a closure" }
    if !lifecycle.afterInit.isEmpty { return "its afterInit actions are closures" }
    if lifecycle.customInstance != nil { return "its instances are stored by an Instance" }
    return "its decorators are closures"
  }
}
