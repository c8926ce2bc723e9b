// SPDX-License-Identifier: MIT

/// The reason why a resolve inside a construction was ended.
enum Abandonment {
  /// The construction itself is doomed. The caller gets the error of the cause, or retries.
  case itself
  /// A construction around is doomed. No further dependent of this construction is concerned.
  case part(of: Construction)
}

/// A failure as seen by constructions around its origin. The wait-for graph's mutex is held.
struct FailureSeenOutside {
  /// The failed constructions with their errors. Earlier entries have precedence.
  private var origins: [(failed: Construction, error: ResolutionError)]
  /// The errors as they reach the factories of constructions. All are made together, at the first
  /// request: a path shares the steps of the paths further in.
  private var seen: [ObjectIdentifier: ResolutionError]?

  /// - Parameter error: `nil` if all dependents are to begin again.
  init(of failed: Construction, _ error: ResolutionError?) {
    origins = error.map { [(failed, $0)] } ?? []
    // A construction that gave up, as part of a doomed construction, is not the cause.
    if error != nil, case .part(let doomed) = failed.links.abandonment,
      let cause = doomed.links.failure
    {
      origins.insert((doomed, cause.reached(from: doomed.key, at: nil)), at: 0)
    }
  }

  /// The error that reaches the factory of a construction; `nil` to begin again.
  ///
  /// A construction gets an error if the failure had begun inside, or if its resolve has begun
  /// again too often: two resolves could otherwise end each other's constructions forever.
  mutating func error(in construction: Construction) -> ResolutionError? {
    if seen == nil { seen = errorsOutwards() }
    if let error = seen?[ObjectIdentifier(construction)] { return error }
    return construction.isLastAttempt ? origins.first?.error : nil
  }

  private func errorsOutwards() -> [ObjectIdentifier: ResolutionError] {
    var errors: [ObjectIdentifier: ResolutionError] = [:]
    for (failed, error) in origins {
      var visited = VisitedObjects()
      var pending = [(context: failed as ResolutionContext, error: error)]
      while let (context, error) = pending.popLast() {
        if !visited.visit(context) { continue }
        var passed = error
        if let construction = context.asConstruction, construction !== failed {
          let known = errors[ObjectIdentifier(construction)]
          errors[ObjectIdentifier(construction)] = known ?? error
          passed = error.reached(from: construction.key, at: nil)
        }
        // Takes the requesting context first: for a resumption, the context of the failed action.
        for next in [context.enclosing, context.requesting] {
          if let next { pending.append((next, passed)) }
        }
      }
    }
    return errors
  }
}
