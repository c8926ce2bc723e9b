// SPDX-License-Identifier: MIT

/// The reason why a resolve inside of a construction was ended.
enum Abandonment {
  /// The construction itself is doomed. Its caller gets the error of what has failed inside of it, or retries.
  case itself
  /// A construction around it is doomed. That concerns no other one that needs this one.
  case part(of: Construction)
}

/// A failure as the constructions see it that it has begun inside of. The mutex of the wait-for graph is held.
struct FailureSeenOutside {
  /// The constructions that have failed, each with its error. Earlier ones count first.
  private var origins: [(failed: Construction, error: ResolutionError)]
  /// The errors that come to the factories of constructions. Made for the first that is asked for, at one go: each path
  /// shares the steps of those further in.
  private var seen: [ObjectIdentifier: ResolutionError]?

  /// - Parameter error: `nil` if all that need it are to begin again.
  init(of failed: Construction, _ error: ResolutionError?) {
    origins = error.map { [(failed, $0)] } ?? []
    // One that has given up, with a construction that it is a part of, is not the cause.
    if error != nil, case .part(let doomed) = failed.links.abandonment,
      let cause = doomed.links.failure
    {
      origins.insert((doomed, cause.reached(from: doomed.key, at: nil)), at: 0)
    }
  }

  /// The error that comes to the factory of a construction; `nil` if it is to begin again.
  ///
  /// It gets an error if what has failed had begun inside of it, or if its resolve has begun again too often: two
  /// resolves could end each other's constructions without end.
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
        // The one whose resolver was asked goes first: of a resumption, that whose action has failed.
        for next in [context.enclosing, context.requesting] {
          if let next { pending.append((next, passed)) }
        }
      }
    }
    return errors
  }
}
