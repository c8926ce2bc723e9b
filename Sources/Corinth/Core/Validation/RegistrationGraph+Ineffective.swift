// SPDX-License-Identifier: MIT

/// Modifiers and declarations without effect.
extension RegistrationGraph {
  var ineffectiveFindings: [ValidationFinding] {
    records.compactMap(overruledScopes) + records.compactMap(refusedModifiers)
      + records.compactMap(replacedInput)
      + idleDecorators.map(idleDecorator)
  }

  /// A finding for a registration with several scopes. A contradiction is a finding of its own.
  private func overruledScopes(_ record: RegistrationRecord) -> ValidationFinding? {
    let attributes = record.attributes
    guard attributes.fault == nil, let scopes = attributes.overruledScopes else { return nil }
    let overruled = scopes.map(\.description).joined(separator: ", then ")
    return ValidationFinding(
      .ineffective, of: [record],
      "\(record.key) was made \(overruled), and then \(attributes.scope): the last scope counts.",
      hints: ["leave the others out."])
  }

  /// A finding for a registration whose modifiers came after the container was frozen.
  private func refusedModifiers(_ record: RegistrationRecord) -> ValidationFinding? {
    let modifiers = record.owner.searched.firstResult {
      $0.extrasIfMade?.refusedModifiers.load()?.value[record.serial]
    }
    guard let modifiers else { return nil }
    return ValidationFinding(
      .ineffective, of: [record],
      "\(record.key) was not modified by \(modifiers.joined(separator: ", ")): its container was frozen.",
      hints: [
        "give them in the call that registers it (`with:`), or modify it before `freeze()`; a fork can be changed."
      ])
  }

  /// A finding for a registration that has replaced the declaration of an input.
  private func replacedInput(_ record: RegistrationRecord) -> ValidationFinding? {
    guard !record.isForwarding, let input = record.attributes.replacedRegistrations.last else {
      return nil
    }
    return ValidationFinding(
      .ineffective, path: [record.key],
      places: [.init(key: record.key, location: input.location), record.place],
      serial: record.serial,
      "\(record.key) was declared as an input of scopes, and then registered: the values that scopes are given are not used.",
      placeLines: ["declared at \(input.location)", "registered at \(record.location)"],
      hints: ["remove one of the two; a fork says `onDuplicate: .require`."])
  }

  /// The decorators of unregistered products. A descendant with registrations may have the product.
  var idleDecorators: [Decorator] {
    let products = Set(records.map { ObjectIdentifier($0.key.product) })
    return container.selfAndAncestors.filter { core in
      let mayBeBelow = core.fork == nil ? [core] : Array(core.searched)
      return !mayBeBelow.contains(where: \.hasRegistrationsBelow)
    }.flatMap { core -> [Decorator] in core.composition?.decorators.values.flatMap(\.self) ?? [] }
      .filter { !products.contains(ObjectIdentifier($0.product)) }.ordered(by: \.number)
  }

  private func idleDecorator(_ decorator: Decorator) -> ValidationFinding {
    let key = RegistrationKey(product: decorator.product)
    return ValidationFinding(
      .ineffective, path: [key], places: [.init(key: key, location: decorator.location)],
      serial: .max, "Nothing is registered for \(key), which is decorated.",
      placeLines: ["decorated at \(decorator.location)"],
      hints: container.suggestions(for: key, .decorating))
  }
}
