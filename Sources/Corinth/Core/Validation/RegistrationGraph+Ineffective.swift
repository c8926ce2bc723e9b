// SPDX-License-Identifier: MIT

/// What was said of registrations and has no effect.
extension RegistrationGraph {
  var ineffectiveFindings: [ValidationFinding] {
    records.compactMap(overruledScopes)
  }

  /// One for a registration that was given several scopes. What contradicts itself is a finding of its own.
  private func overruledScopes(_ record: RegistrationRecord) -> ValidationFinding? {
    let attributes = record.attributes
    guard attributes.fault == nil, !attributes.overruledScopes.isEmpty else { return nil }
    let overruled = attributes.overruledScopes.map(\.description).joined(separator: ", then ")
    return ValidationFinding(
      .ineffective, path: [record.key], places: [record.place], serial: record.serial,
      "\(record.key) was made \(overruled), and then \(attributes.scope): the last scope counts.",
      placeLines: ["registered at \(record.location)"],
      hints: ["leave the others out."])
  }
}
