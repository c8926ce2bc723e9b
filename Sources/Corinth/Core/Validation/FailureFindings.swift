// SPDX-License-Identifier: MIT

extension [ResolutionError] {
  /// The failures of factories and disposers, each once, and other errors that no finding is about. Those that have met
  /// one cycle have met it at any of its members.
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
  /// The keys of the circular dependency that it is.
  fileprivate var cycle: ArraySlice<RegistrationKey> { path.drop { $0 != key } }
}

extension CloseError {
  /// The failures of disposers, as those of the registrations that they belong to.
  var asResolutionErrors: [ResolutionError] {
    guard case .disposalFailed(let failures) = self else { return [] }
    return failures.map {
      .underlyingError(ResolutionError.Context(failureOf: $0.key, at: $0.location, $0.error))
    }
  }
}
