// SPDX-License-Identifier: MIT

extension ValidationReport {
  /// All problems of a container, found without running a factory.
  ///
  /// - Parameters:
  ///   - roots: the keys that are resolved from outside; `nil` for unspecified.
  ///   - inputs: the inputs of a scope, beside the inputs of the container; `nil` for unspecified.
  ///   - strictly: whether unknown dependencies are findings.
  ///   - recorded: the dependencies recorded in a fork where everything was built.
  init(
    of core: ContainerCore, roots: [RegistrationKey]?, inputs: [any Any.Type]?, strictly: Bool,
    recorded: [RecordedDependencies] = []
  ) {
    let graph = RegistrationGraph(
      of: core, roots: roots, inputs: inputs.map { $0 + core.visibleInputTypes },
      recorded: recorded)
    let write = {
      graph.missingFindings + graph.cyclicFindings + graph.captiveFindings
        + graph.nestingFindings + graph.asynchronousFindings + graph.ungivenInputFindings
        + graph.repeatedInputFindings(inputs ?? []) + graph.forwardingFindings
        + graph.invalidFindings + graph.ineffectiveFindings + graph.unusedFindings
        + (strictly ? graph.unknownFindings : [])
    }
    // Few containers have findings: only then are all names of types compared.
    let findings = write().isEmpty ? [] : Namesakes.distinguishing(graph.namedTypes, write)
    self.init(
      findings: Self.inOrder(findings), unknown: graph.unknownRecords.map(\.key),
      deferredCycles: graph.deferredCycles.map { $0.map(\.place) })
  }
}

extension RegistrationGraph {
  /// The types that the text of a finding may name.
  fileprivate var namedTypes: [any Any.Type] {
    let missing = nodes.flatMap(\.edges).compactMap { edge -> RegistrationKey? in
      if case .missing(let key) = edge.target { key } else { nil }
    }
    return (nodes.map(\.record.key) + missing + missingRoots).flatMap(\.namedTypes)
      + idleDecorators.map(\.product)
  }

  fileprivate var invalidFindings: [ValidationFinding] {
    records.compactMap { record in
      record.faultError.map { ValidationFinding(.invalid, $0, serial: record.serial) }
    }
  }

  /// The registrations that no root leads to; none if a node on the way has unknown dependencies.
  ///
  /// A forward does nothing by itself: only the target counts. Any scope may use an input.
  fileprivate var unusedFindings: [ValidationFinding] {
    guard let reachedCount, nodes[..<reachedCount].allSatisfy(\.areDependenciesKnown) else {
      return []
    }
    let reached = Set(nodes[..<reachedCount].map(\.record.serial))
    let isUnused = { (record: RegistrationRecord) in
      !reached.contains(record.serial) && !record.isForwarding && !record.isInput
    }
    return records.filter(isUnused).map { record in
      ValidationFinding(
        .unused, of: [record], "No root depends on \(record.key).",
        hints: ["remove it, or add it to the roots if it is resolved by itself."])
    }
  }
}

extension ValidationFinding {
  /// - Parameters:
  ///   - records: the registrations concerned; first the registration to be changed.
  ///   - path: by default the keys of `records`, in the same order.
  @inline(never) init(
    _ kind: Kind, of records: [RegistrationRecord], path: [RegistrationKey]? = nil,
    _ summary: String, placeLines: [String]? = nil, showsPath: Bool = true, hints: [String]
  ) {
    self.init(
      kind, path: path ?? records.map(\.key), places: records.map(\.place),
      serial: records[0].serial, summary,
      placeLines: placeLines
        ?? (records.count == 1
          ? ["registered at \(records[0].location)"] : records.placeLines()),
      showsPath: showsPath, hints: hints)
  }
}

extension [RegistrationRecord] {
  /// The source locations of the registrations; of many registrations, the first few.
  ///
  /// - Parameter role: the words between a key and its location.
  func placeLines(_ role: String = "is") -> [String] {
    let shownAtMost = 5
    let rest = count - shownAtMost
    return prefix(rest == 1 ? count : shownAtMost).map {
      "\($0.key) \(role) registered at \($0.location)"
    } + (rest > 1 ? ["... and \(rest) more like these"] : [])
  }
}

extension [ResolutionError] {
  /// The failures of factories and disposers, without duplicates, and other errors that no finding
  /// covers. Of several errors about one cycle, met at different members, only the first counts.
  func findings(besides others: [ValidationFinding]) -> [ValidationFinding] {
    var seen: Set<String> = []
    let known = Set(others.map(\.key))
    var members = Set(others.filter { $0.kind == .cyclic }.flatMap(\.path))
    return enumerated().compactMap { number, error in
      let isCircular = error == .circularDependencyDetected
      if isCircular, !members.isDisjoint(with: error.cycle) { return nil }
      guard error == .underlyingError || !known.contains(error.key),
        seen.insert("\(error.key) \(error.underlyingError.map { "\($0)" } ?? error.summary)")
          .inserted
      else { return nil }
      if isCircular { members.formUnion(error.cycle) }
      return ValidationFinding(.failed, error, serial: UInt64(number))
    }
  }
}

extension ResolutionError {
  /// The keys of the cycle that a circular dependency error names.
  fileprivate var cycle: ArraySlice<RegistrationKey> { path.drop { $0 != key } }
}

extension CloseError {
  /// The failures of disposers, as errors of the registrations whose instances failed.
  var asResolutionErrors: [ResolutionError] {
    guard case .disposalFailed(let failures) = self else { return [] }
    return failures.map {
      .underlyingError(
        ResolutionError.Context(refusing: $0.key, at: $0.location, because: $0.error))
    }
  }
}
