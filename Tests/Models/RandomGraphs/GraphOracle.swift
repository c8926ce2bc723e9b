// SPDX-License-Identifier: MIT

import Corinth

/// Checks the promises of the guides against the record of a run.
///
/// 1. An error has a cause in the graph: a cycle of hard dependencies, a factory that fails, the
///    caller's own cancellation, a container that is closed meanwhile.
/// 2. A caller gets a complete instance: all its actions have finished, and all instances that it
///    leads to are complete.
/// 3. A kept service has one instance. Its factory returns once, and once more for each failure of
///    an action of it or of a service on a cycle with it: the failure may have dropped an instance.
///    After a release or an override the same holds again.
/// 4. An error in a service has a cause too, even if the service swallows it. A service may also
///    get a cycle error for a cycle that it is on. The path of an error begins with what was asked
///    for, and leads along dependencies.
/// 5. A kept instance with a disposer is disposed of once, before the instances that it refers to.
///    Instances that need each other are disposed of in the reverse order of their factory returns.
///    What a factory has started through its resolver, or has asked for in vain, counts as a need.
///    After a release the closing still goes by names: an instance that got the released one may
///    move before the next one, and leave its users behind.
/// 6. After a container has closed, its disposers have run, and no resolve from it succeeds.
/// 7. Each instance has the decorators of the container that it belongs to and its ancestors, the
///    outermost ancestor's first, each once. What an action or a disposer gets has none.
/// 8. The resolver of one service yields one instance of a graph service, unless a failure occurred
///    or a thread or task may have outlived the resolution.
/// 9. A behavior is told of each construction of the container's registrations, once, of disposals,
///    and of each resolve and failure of a caller.
struct GraphOracle {
  let run: GraphRun
  let answers: [GraphRun.Answer]
  let disposed: [GraphRun.Disposal]
  let closings: [GraphRun.Closing]
  let references: ReferenceGraph

  init(run: GraphRun, seen: GraphRun.Seen) {
    self.run = run
    references = ReferenceGraph(run.references.take())
    answers = seen.answers
    disposed = seen.disposed
    closings = seen.closings
  }

  var graph: GraphDescription { run.expected }
  private var analysis: GraphAnalysis { run.analysis }

  func problems() -> [GraphProblem] {
    answers.compactMap(problem(of:)) + constructionProblems() + identityProblems()
      + disposalProblems() + orderProblems() + closingProblems() + sharingProblems()
      + watcherProblems()
  }

  // MARK: - Answers

  private func problem(of answer: GraphRun.Answer) -> GraphProblem? {
    let asker = answer.caller.map { "caller \($0)" } ?? "a spawned resolve"
    switch answer.outcome {
    case .success:
      return answer.incompleteness.map {
        GraphProblem(.incomplete, "\(asker) got s\(answer.service), but \($0)")
      }
    case .failure(let error):
      // A resolve through a resolver is a part of the construction of that resolver.
      let source = Source(
        service: answer.service, asker: answer.spawner,
        mayCloseCycle: answer.isInside && analysis.isOnCycle[answer.service],
        mayBeCancelled: answer.caller.map { graph.callers[$0].cancelledAfter != nil }
          ?? answer.isInside,
        mayBeRefused: analysis.leadsToCrossing[answer.service]
          || graph.isAsynchronous(answer.service)
            && answer.caller.map { !graph.callers[$0].isTask } ?? true
          || analysis.leadsToHeld(answer.service, in: graph)
            && answer.caller.map { graph.callers[$0].isTask } ?? true
      )
      guard let kind = Self.refusal(of: error, for: source, in: run) else { return nil }
      return GraphProblem(kind, "\(asker) asked for s\(answer.service): \(error)")
    }
  }

  /// The place where an error came out.
  struct Source {
    let service: Int
    /// The service of which the construction asks; `nil` for a resolve that is a part of none.
    let asker: Int?
    /// Whether the caller may be a part of the construction that it asked for.
    let mayCloseCycle: Bool
    /// Whether the cancellation of another caller may be the cause.
    let mayBeCancelled: Bool
    /// Whether synchronous code asked for an asynchronous service, here or further in, or in a task
    /// for a service that may be held for an asynchronous one.
    let mayBeRefused: Bool
  }

  /// The kind of problem; `nil` if the error has a cause in the graph, and tells the way to it.
  static func refusal(
    of error: any Error, for source: Source, in run: GraphRun
  ) -> GraphProblem.Kind? {
    if let kind = causelessness(of: error, for: source, in: run) { return kind }
    let path = (error as? ResolutionError)?.path ?? []
    return path.isEmpty || run.isWay(path, from: source.service) ? nil : .path
  }

  private static func causelessness(
    of error: any Error, for source: Source, in run: GraphRun
  ) -> GraphProblem.Kind? {
    let (graph, analysis) = (run.expected, run.analysis)
    switch ErrorKind(error) {
    case .failure(let service):
      // What a deinit builds inside of a construction is a part of it: its failure is that of both.
      let mayFail =
        service == source.service || analysis.reach[source.service].contains(service)
        || analysis.isBuiltByDeinits[service]
      return mayFail && graph.services[service].failure != nil ? nil : .error
    case .cycle:
      return source.mayCloseCycle || analysis.leadsToHardCycle[source.service]
        || graph.mayResolveAtTheEnd ? nil : .falseCycle
    case .cancellation:
      let isAnyCancelled = graph.callers.contains { $0.cancelledAfter != nil }
      if source.mayBeCancelled && isAnyCancelled { return nil }
      // The task of an instance that only a failed construction has got early is cancelled.
      return source.asker.map { run.mayBeAbandoned(inside: $0) } ?? false
        ? nil : .strangersCancellation
    case .closed:
      // A construction that no resolve waits for any more may end after the last caller.
      return run.isAnyClosing ? nil : .error
    case .endless: return .endless
    case .asyncRequired:
      return source.mayBeRefused ? nil : .error
    case .abandoned:
      return source.asker.map { run.mayBeAbandoned(inside: $0) } ?? false ? nil : .error
    case .other: return .error
    }
  }

  // MARK: - Constructions

  private func constructionProblems() -> [GraphProblem] {
    var problems: [GraphProblem] = []
    for (index, service) in graph.services.enumerated() {
      for tally in run.tallies[index] {
        if tally[.run] > run.runsAtMost {
          problems.append(
            GraphProblem(.endless, "the factory of s\(index) ran \(tally[.run]) times"))
        }
        // A release of a custom instance replaces the registration too, if a construction is under
        // way.
        let changes =
          graph.changes.count { $0.service == index } * (service.lifetime == .custom ? 2 : 1)
        // One failure may drop the instances of several registrations.
        if service.isKept, tally[.returned] > (1 + changes) * (1 + failures(for: index)) {
          problems.append(
            GraphProblem(
              .builtTwice,
              "the factory of s\(index) returned \(tally[.returned]) times, with "
                + "\(failures(for: index)) failures to explain it"))
        }
      }
    }
    return problems
  }

  /// The number of failures that may have dropped an instance of a service: of its own actions, and
  /// of constructions that it may have got an early reference from.
  func failures(for index: Int) -> Int {
    var sum = 0
    for tally in run.tallies[index] {
      sum += tally[.letErrorOutOfAction]
      if mayFailByCycle(index) { sum += tally[.letCycleOutOfAction] }
    }
    for other in graph.services.indices
    where other != index && analysis.mayBorrow(index, from: other) { sum += failures(of: other) }
    return sum
  }

  /// The number of constructions of a service that have failed. An action that lets a cycle error
  /// out has been postponed, unless that may have failed it.
  private func failures(of index: Int) -> Int {
    let mayFail = mayFailByCycle(index)
    return run.tallies[index].reduce(0) { $0 + $1.failures + (mayFail ? $1.cycles : 0) }
  }

  private func mayFailByCycle(_ index: Int) -> Bool {
    analysis.mayFailByCycle[index] || graph.mayResolveAtTheEnd
  }

  /// Whether a release or an override may lead to several instances of a service.
  func isChanged(_ index: Int) -> Bool {
    graph.changes.contains { $0.service == index }
  }

  private func identityProblems() -> [GraphProblem] {
    var first: [[Int]: Product] = [:]
    var problems: [GraphProblem] = []
    for answer in answers where !answer.isInside {
      guard case .success(let product) = answer.outcome else { continue }
      let lifetime = graph.services[product.service].lifetime
      if [.transient, .graph, .expiring, .stale].contains(lifetime) || isChanged(product.service) {
        continue
      }
      let other = first.updateValue(product, forKey: [product.service, product.container])
      if let other, other !== product {
        problems.append(
          GraphProblem(.different, "two instances of s\(product.service) were handed out"))
      }
    }
    return problems
  }

  // MARK: - Sharing

  private func sharingProblems() -> [GraphProblem] {
    let graphs = graph.services.indices.filter { graph.services[$0].lifetime == .graph }
    // A resolution ends with its first resolve. Later resolves of a spawned thread or task begin
    // others.
    let mayEndEarly = graph.services.contains { service in
      service.needs.contains { $0.route.isSpawned && !$0.route.isUnrelated }
    }
    if graphs.isEmpty || mayEndEarly
      || graph.services.indices.contains(where: { failures(of: $0) > 0 })
    {
      return []
    }
    var problems: [GraphProblem] = []
    for answer in answers where !answer.isInside {
      guard case .success(let product) = answer.outcome else { continue }
      for each in Self.reachable(from: product) {
        if let service = unshared(by: each, among: graphs) {
          problems.append(
            GraphProblem(.different, "s\(each.service) has got two instances of s\(service)"))
        }
      }
    }
    return problems
  }

  /// A graph service of which the resolver of a product yielded several instances.
  private func unshared(by product: Product, among graphs: [Int]) -> Int? {
    // Its decorators have the same resolver, or one of the same resolution.
    let layers = sequence(first: product) { $0.wrapped }
    let parts = layers.flatMap { run.parts(of: $0) }
    let all = parts.flatMap { zip($0.needs, $0.found) }
    var first: [Int: Product] = [:]
    for (need, found) in all where !need.route.beginsResolution {
      guard let found = found.product, graphs.contains(found.service), !isChanged(found.service)
      else { continue }
      if let other = first.updateValue(found, forKey: found.service), other !== found {
        return found.service
      }
    }
    return nil
  }

  // MARK: - References

  /// The product, and all products that it leads to.
  static func reachable(from product: Product) -> [Product] {
    var reached = [product]
    var next = 0
    while next < reached.count {
      for each in reached[next].references where !reached.contains(where: { $0 === each }) {
        reached.append(each)
      }
      next += 1
    }
    return reached
  }
}

extension GraphRun {
  /// Whether a construction that a service's factory or action is a part of may have got an early
  /// reference to an instance that has failed: the two need each other.
  fileprivate func mayBeAbandoned(inside asker: Int) -> Bool {
    graph.services.indices.contains { borrower in
      analysis.mayBegin(asker, inside: borrower)
        && graph.services.indices.contains {
          analysis.mayBorrow(borrower, from: $0) && tallies[$0].contains(where: \.hasFailed)
        }
    }
  }

  /// The first gap in a product or in a product that it leads to; `nil` if all are complete.
  func incompleteness(of product: Product) -> String? {
    for each in GraphOracle.reachable(from: product) {
      let service = expected.services[each.service]
      if each.wrapped == nil, each.completedActions < service.actions.count {
        return "only \(each.completedActions) actions of s\(each.service) have finished"
      }
      for (needs, found) in parts(of: each) {
        for (need, found) in zip(needs, found)
        where !found.isThere && !need.isOptional && !need.route.isSpawned {
          return "s\(each.service) has no s\(need.target)"
        }
      }
      for other in each.dependencies {
        if let gap = missingDecorators(of: other) { return gap }
      }
    }
    return missingDecorators(of: product)
  }

  private func missingDecorators(of product: Product) -> String? {
    let layers = expected.decorators(of: product.service, in: product.container)
    if product.layers == layers { return nil }
    return "s\(product.service) has the decorators \(product.layers), not \(layers)"
  }

  /// The dependencies that a product has itself, and what it has got for them.
  func parts(of product: Product) -> [(needs: [Need], found: [(isThere: Bool, product: Product?)])]
  {
    let service = expected.services[product.service]
    let early = product.early.map { (isThere: $0 != nil, product: $0) }
    if let number = product.layers.last {
      // The graph that it is checked as may have fewer.
      return service.decorators.indices.contains(number)
        ? [(service.decorators[number].needs, early)] : []
    }
    let late = product.late.map { $0.map { (isThere: $0 != nil, product: $0?.product) } }
    return Array(zip([service.factory] + service.actions.map(\.needs), [early] + late))
      .map { (needs: $0, found: $1) }
  }
}
