// SPDX-License-Identifier: MIT

/// Keys without a registration, and inputs that scopes do not get.
extension RegistrationGraph {
  /// A finding per missing key, with all registrations that depend on the key.
  var missingFindings: [ValidationFinding] {
    var order: [RegistrationKey] = []
    var askers: [RegistrationKey: [Int]] = [:]
    for (number, node) in nodes.enumerated() {
      for edge in node.edges where !edge.isForward {
        guard case .missing(let key) = edge.target else { continue }
        if askers[key] == nil { order.append(key) }
        if askers[key]?.last != number { askers[key, default: []].append(number) }
      }
    }
    let isAsked = Set(order)
    return order.map { missingFinding(of: $0, askers[$0] ?? []) }
      + missingRoots.filter { !isAsked.contains($0) }.map(missingRootFinding)
  }

  private func missingFinding(of key: RegistrationKey, _ askers: [Int]) -> ValidationFinding {
    let records = distinctRecords(of: askers)
    let place = nodes[askers[0]].container
    let isOfScope = records.allSatisfy { $0.policy.storage == .requestScope }
    var hints = place.suggestions(for: key, isOfScope: isOfScope && !isGiven(key))
    if place !== container,
      let location = container.registeredSlot(of: key)?.registration?.location
    {
      hints = [
        "\(key) is registered in a child (\(location)): an instance that a container shares resolves its dependencies in "
          + "the container that it is registered in."
      ]
    }
    if let hint = hintAboutUndeclaredInput(key) { hints.insert(hint, at: 0) }
    return ValidationFinding(
      .missing, of: records, path: path(to: askers[0]) + [key], "Nothing is registered for \(key).",
      placeLines: records.placeLines("depends on it, and is"), hints: hints)
  }

  /// Whether the caller lists the type of a missing key among the inputs of scopes.
  private func isGiven(_ key: RegistrationKey) -> Bool {
    key == RegistrationKey(product: key.product) && inputs?.contains { $0 == key.product } ?? false
  }

  private func hintAboutUndeclaredInput(_ key: RegistrationKey) -> String? {
    guard isGiven(key) else { return nil }
    return
      "scopes are given one: declare it with `registerInput(\(expression(of: key.product)))` in the container that they are made from."
  }

  private func missingRootFinding(_ key: RegistrationKey) -> ValidationFinding {
    ValidationFinding(
      .missing, path: [key], places: [], serial: 0, "Nothing is registered for \(key), a root.",
      placeLines: [], hints: container.suggestions(for: key))
  }

  /// The needed inputs that the caller does not list among the inputs of scopes.
  var ungivenInputFindings: [ValidationFinding] {
    guard let inputs else { return [] }
    return nodes.indices.filter {
      let record = nodes[$0].record
      return record.isNeededInput && !inputs.contains { provides($0, record.key.product) }
    }.compactMap { input in
      let askers = nodes.indices.filter { asker in
        successors(of: asker) { $0.timing != .elsewhere }.contains(input)
      }
      guard let first = askers.first else { return nil }
      let (record, records) = (nodes[input].record, distinctRecords(of: askers))
      return ValidationFinding(
        .missingInput, path: path(to: first) + [record.key],
        places: [record.place] + records.map(\.place), serial: records[0].serial,
        "\(record.key) is not among the inputs that scopes get.",
        placeLines: [record].placeLines() + records.placeLines("depends on it, and is"),
        hints: [
          isDryRun
            ? "give an example of it to the dry run, `validate(building: true, providing: ...)`, and a value to "
              + "`withScope(providing:do:)`."
            : "give it to `withScope(providing:do:)` too, and name it among the inputs here."
        ])
    }
  }

  /// The inputs that scopes are given more than once.
  ///
  /// - Parameter inputs: the types that the caller says the scopes get.
  func repeatedInputFindings(_ inputs: [any Any.Type]) -> [ValidationFinding] {
    records.filter { record in
      record.isInput && inputs.count { $0 == record.key.product } > 1
    }.map { record in
      ValidationFinding(
        .missingInput, of: [record],
        "\(record.key) is more than once among the inputs that scopes get.",
        hints: [ResolutionError.hintAtRepeatedInput])
    }
  }
}

/// Whether a scope with a value of the first type may have an input of the second: scopes convert.
private func provides(_ given: any Any.Type, _ input: any Any.Type) -> Bool {
  if given == input { return true }
  if isOptional(given) { return false }
  // The type of a value that is given as an existential is known at run time only.
  return isSubtype(given, of: input) || isExistential(given) || isOpaqueExistential(given)
    || isOpaqueExistential(input)
}

/// Whether a type is an existential of unknown protocols, for example `any P<Int>`.
private func isOpaqueExistential(_ type: any Any.Type) -> Bool {
  TypeKind(of: type) == .possiblyReference && !(type is AnyClass) && !isExistential(type)
}
