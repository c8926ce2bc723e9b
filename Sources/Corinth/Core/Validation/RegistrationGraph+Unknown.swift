// SPDX-License-Identifier: MIT

/// Registrations with unknown dependencies.
extension RegistrationGraph {
  /// The registrations whose dependencies are not known completely, in the order of registration.
  var unknownRecords: [RegistrationRecord] {
    distinctRecords(of: nodes.indices.filter { !nodes[$0].areDependenciesKnown })
      .ordered(by: \.serial)
  }

  /// A finding per unknown registration, for strict validation.
  var unknownFindings: [ValidationFinding] {
    unknownRecords.map { record in
      ValidationFinding(
        .unknown, of: [record],
        "What \(record.key) depends on is not known: \(record.unknownPart).",
        hints: hints(record))
    }
  }

  /// A finding for every registration with unknown dependencies that a remaining instance belongs
  /// to, or depends on at any depth; in the order of registration.
  ///
  /// - Parameter gone: the nodes whose instances do not remain.
  func unknownFindings(besides gone: Set<Int>) -> [ValidationFinding] {
    let unknown = nodes.indices.filter {
      !gone.contains($0) && !nodes[$0].areDependenciesKnown
    }
    if unknown.isEmpty { return [] }
    let dependents = dependents()
    var found: [UInt64: ValidationFinding] = [:]
    for start in unknown where found[nodes[start].record.serial] == nil {
      guard let path = pathFromStoring(to: start, besides: gone, dependents) else { continue }
      let record = nodes[start].record
      found[record.serial] = ValidationFinding(
        .unknown, of: [record], path: path,
        "What \(record.key) depends on is not known: \(record.unknownPart).",
        hints: [
          record.isFactoryUnknown
            ? "register it with `wire`, or declare what it resolves with `.dependsOn(...)`; `.dependsOn()` says nothing."
            : "declare what these resolve with `.dependsOn(...)`; `.dependsOn()` says nothing."
        ])
    }
    return found.ordered(by: \.key).map(\.value)
  }

  /// For every node, the dependent nodes.
  func dependents(where isFollowed: (Edge) -> Bool = { _ in true }) -> [[Int]] {
    var dependents = [[Int]](repeating: [], count: nodes.count)
    for number in nodes.indices {
      for target in successors(of: number, where: isFollowed) { dependents[target].append(number) }
    }
    return dependents
  }

  /// The keys of a shortest path to a node from a node whose registration stores an instance.
  private func pathFromStoring(
    to start: Int, besides gone: Set<Int>, _ dependents: [[Int]]
  ) -> [RegistrationKey]? {
    func isStored(_ node: Int) -> Bool { nodes[node].record.policy.storage == .registration }
    let way =
      isStored(start)
      ? [start]
      : ways(
        from: start, to: isStored, atMost: 1,
        following: { dependents[$0].filter { !gone.contains($0) } }
      ).first
    return way?.reversed().map { nodes[$0].record.key }
  }

  private func hints(_ record: RegistrationRecord) -> [String] {
    let dryRun =
      "building: true" + (records.contains(where: \.isNeededInput) ? ", providing: ..." : "")
    return [
      record.isFactoryUnknown
        ? "register it with `wire`, or declare what it resolves with `.dependsOn(...)`."
        : "declare what these resolve with `.dependsOn(...)`.",
      isDryRun && record.isAsynchronous
        ? "or build with `try await validate(\(dryRun))`, which builds asynchronous registrations too."
        : "or resolve it between `recordDependencies()` and the validation"
          + (isDryRun || record.key.arguments != nil
            ? ": building runs no factory with arguments."
            : ", or validate with `\(dryRun)`."),
    ]
  }
}
