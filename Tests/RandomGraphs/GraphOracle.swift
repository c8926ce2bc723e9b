// SPDX-License-Identifier: MIT

/// Checks the promises of the guides against the record of a run.
///
/// 1. An error has a cause in the graph: a cycle of hard dependencies, a factory that fails, the caller's own
///    cancellation, a container that is closed meanwhile.
/// 2. A caller gets a complete instance: all its actions have finished, and all instances that it leads to are
///    complete.
/// 3. A kept service has one instance. Its factory returns once, and once more for each release or override and
///    for each failure of a service that it leads to: the failure may have dropped an instance.
/// 4. An error in a service has a cause too, even if the service swallows it. A service may also get a cycle
///    error for a cycle that it is on.
/// 5. A kept instance with a disposer is disposed of once, before the instances that it was built from. Instances
///    that need each other are disposed of in the reverse order of their factory returns.
/// 6. After a container has closed, its disposers have run, and no resolve from it succeeds.
/// 7. The resolver of one service yields one instance of a graph service, unless a failure occurred or a
///    thread or task may have outlived the resolution.
struct GraphOracle {
  let run: GraphRun
  let answers: [GraphRun.Answer]
  let disposed: [GraphRun.Disposal]
  let closings: [GraphRun.Closing]

  init(run: GraphRun, seen: GraphRun.Seen) {
    self.run = run
    answers = seen.answers
    disposed = seen.disposed
    closings = seen.closings
  }

  private var graph: GraphDescription { run.expected }
  private var analysis: GraphAnalysis { run.analysis }

  func problems() -> [GraphProblem] {
    answers.compactMap(problem(of:)) + constructionProblems() + identityProblems()
      + disposalProblems() + orderProblems() + closingProblems() + sharingProblems()
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
        service: answer.service,
        mayCloseCycle: answer.isInside && analysis.isOnCycle[answer.service],
        mayBeCancelled: answer.caller.map { graph.callers[$0].cancelledAfter != nil } ?? false,
        isLate: answer.caller == nil,
        mayBeRefused: analysis.leadsToCrossing[answer.service]
          || graph.isAsynchronous(answer.service)
            && answer.caller.map { !graph.callers[$0].isTask } ?? true
      )
      guard let kind = Self.refusal(of: error, for: source, in: graph, analysis) else { return nil }
      return GraphProblem(kind, "\(asker) asked for s\(answer.service): \(error)")
    }
  }

  /// The place where an error came out.
  struct Source {
    let service: Int
    /// Whether the caller may be a part of the construction that it asked for.
    let mayCloseCycle: Bool
    /// Whether the cancellation of another caller may be the cause.
    let mayBeCancelled: Bool
    /// Whether the error may come after the end of all callers.
    let isLate: Bool
    /// Whether synchronous code asked for an asynchronous service, here or further in.
    let mayBeRefused: Bool
  }

  /// The kind of problem; `nil` if the error has a cause in the graph.
  static func refusal(
    of error: any Error, for source: Source, in graph: GraphDescription, _ analysis: GraphAnalysis
  ) -> GraphProblem.Kind? {
    let isAnyCancelled = graph.callers.contains { $0.cancelledAfter != nil }
    switch ErrorKind(error) {
    case .failure(let service):
      let reach = analysis.reach[source.service].union([source.service])
      return reach.contains(service) && graph.services[service].failure != nil ? nil : .error
    case .cycle:
      return source.mayCloseCycle || analysis.leadsToHardCycle[source.service] ? nil : .falseCycle
    case .cancellation:
      return source.mayBeCancelled && isAnyCancelled ? nil : .strangersCancellation
    case .closed:
      // A construction without callers, as all were cancelled, may begin after the end of the run.
      return graph.closings.isEmpty && !(source.isLate && isAnyCancelled) ? .error : nil
    case .endless: return .endless
    case .asyncRequired:
      return source.mayBeRefused ? nil : .error
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
        let changes = graph.changes.count { $0.service == index }
        if service.isKept, tally[.returned] > 1 + changes + failures(for: index) {
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

  /// The number of failures that may have dropped an instance.
  private func failures(for index: Int) -> Int {
    analysis.reach[index].union([index]).reduce(0) { sum, each in
      run.tallies[each].reduce(sum) { sum, tally in
        sum + tally[.failed] + tally[.letCancellationOut] + tally[.letClosedOut]
          + tally[.letAsyncOut]
          + (analysis.leadsToHardCycle[each] ? tally[.letCycleOut] : 0)
      }
    }
  }

  /// Whether a release or an override may lead to several instances of a service.
  private func isChanged(_ index: Int) -> Bool {
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

  // MARK: - Disposal

  private func disposalProblems() -> [GraphProblem] {
    var problems: [GraphProblem] = []
    var serials: Set<Int> = []
    for each in disposed where !serials.insert(each.product.serial).inserted {
      problems.append(
        GraphProblem(.disposal, "s\(each.product.service) was disposed of twice"))
    }
    for answer in answers where !answer.isInside {
      guard case .success(let product) = answer.outcome else { continue }
      for each in Self.reachable(from: product)
      where graph.services[each.service].disposer != nil && !isChanged(each.service)
        && serials.insert(each.serial).inserted
      {
        problems.append(
          GraphProblem(.disposal, "s\(each.service), which was handed out, was not disposed of"))
      }
    }
    for (index, service) in graph.services.enumerated() where service.disposer != nil {
      for (container, tally) in run.tallies[index].enumerated() {
        let count = disposed.count {
          $0.product.service == index && $0.product.container == container
        }
        let mayMiss = failures(for: index) + (isChanged(index) ? tally[.returned] : 0)
        if count > 1 || count < tally[.returned] - mayMiss {
          problems.append(
            GraphProblem(
              .disposal,
              "s\(index) was built \(tally[.returned]) times and disposed of \(count) times"))
        }
      }
    }
    return problems
  }

  private func orderProblems() -> [GraphProblem] {
    let instances = disposed.map { each in
      DisposedInstance(
        name: "s\(each.product.service)", container: keeper(of: each.product),
        returned: each.product.returned, seen: each.product.seen, serial: each.product.serial,
        references: Set(Self.reachable(from: each.product).map(\.serial)))
    }
    return DisposedInstance.firstOutOfOrder(in: instances).map { first, second in
      [GraphProblem(.order, "\(first) was disposed of before \(second), which uses it")]
    } ?? []
  }

  /// The container that keeps an instance. A scoped service may be registered in a child of the scope.
  private func keeper(of product: Product) -> Int {
    guard graph.services[product.service].lifetime == .scoped else { return product.container }
    return graph.lineage(of: product.container).first { graph.hasScope([$0]) } ?? product.container
  }

  private func closingProblems() -> [GraphProblem] {
    var problems: [GraphProblem] = []
    for closing in closings {
      for disposal in disposed
      where keeper(of: disposal.product) == closing.container && disposal.time > closing.time {
        problems.append(
          GraphProblem(
            .disposal,
            "s\(disposal.product.service) was disposed of after c\(closing.container) was closed"))
      }
      for answer in answers where answer.asked > closing.time && !answer.isInside {
        guard case .success(let product) = answer.outcome,
          answer.container == closing.container
            || graph.services[product.service].container == closing.container
        else { continue }
        problems.append(
          GraphProblem(
            .closed, "s\(product.service) was resolved after c\(closing.container) was closed"))
      }
    }
    return problems
  }

  // MARK: - Sharing

  private func sharingProblems() -> [GraphProblem] {
    let graphs = graph.services.indices.filter { graph.services[$0].lifetime == .graph }
    // A resolution ends with its first resolve. Later resolves of a spawned thread or task begin others.
    let mayEndEarly = graph.services.contains { service in
      service.needs.contains { $0.route.isSpawned && !$0.route.isUnrelated }
    }
    if graphs.isEmpty || mayEndEarly
      || graph.services.indices.contains(where: { failures(for: $0) > 0 })
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
    let service = graph.services[product.service]
    let needs = service.factory + service.actions.flatMap(\.needs)
    let found = product.early + product.late.joined().map { $0?.product }
    var first: [Int: Product] = [:]
    for (need, found) in zip(needs, found) where !need.route.beginsResolution {
      guard let found, graphs.contains(found.service), !isChanged(found.service) else { continue }
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
  /// The first gap in a product or in a product that it leads to; `nil` if all are complete.
  func incompleteness(of product: Product) -> String? {
    for each in GraphOracle.reachable(from: product) {
      let service = expected.services[each.service]
      if each.completedActions < service.actions.count {
        return "only \(each.completedActions) actions of s\(each.service) have finished"
      }
      let needs = [service.factory] + service.actions.map(\.needs)
      let found = [each.early.map { $0 != nil }] + each.late.map { $0.map { $0 != nil } }
      for (needs, found) in zip(needs, found) {
        for (need, isThere) in zip(needs, found)
        where !isThere && !need.isOptional && !need.route.isSpawned {
          return "s\(each.service) has no s\(need.target)"
        }
      }
    }
    return nil
  }
}
