// SPDX-License-Identifier: MIT

/// What the guides promise, checked against what a run has seen.
///
/// 1. An error has a cause in the graph: a cycle of hard dependencies, a factory that fails, the caller's own
///    cancellation, a container that is closed meanwhile.
/// 2. An instance that is handed out is complete: all its actions have finished, and all that it refers to is.
/// 3. Of a kept service there is one instance. Its factory returns once, and once more for each failure among
///    the services that it leads to: what was built from one that failed is built anew.
/// 4. A factory that is stopped by a cycle error, and runs again, is on a cycle.
/// 5. A kept instance with a disposer is disposed of once, before those that it was built from. Instances that need
///    each other are disposed of in the reverse order in which their factories have returned.
struct GraphOracle {
  let run: GraphRun
  let answers: [GraphRun.Answer]
  let disposed: [(product: Product, closing: Int)]

  private var graph: GraphDescription { run.expected }
  private var analysis: GraphAnalysis { run.analysis }

  func problems() -> [GraphProblem] {
    answers.compactMap(problem(of:)) + constructionProblems() + identityProblems()
      + disposalProblems() + orderProblems()
  }

  // MARK: - Answers

  private func problem(of answer: GraphRun.Answer) -> GraphProblem? {
    let asker = answer.caller.map { "caller \($0)" } ?? "one left alone"
    switch answer.outcome {
    case .success:
      return answer.incompleteness.map {
        GraphProblem(.incomplete, "\(asker) got s\(answer.service), but \($0)")
      }
    case .failure(let error):
      guard let kind = refusal(of: error, for: answer) else { return nil }
      return GraphProblem(kind, "\(asker) asked for s\(answer.service): \(error)")
    }
  }

  /// The kind of problem that an error is; `nil` when it has a cause in the graph.
  private func refusal(
    of error: any Error, for answer: GraphRun.Answer
  ) -> GraphProblem.Kind? {
    let reach = analysis.reach[answer.service].union([answer.service])
    switch ErrorKind(error) {
    case .failure(let service):
      return reach.contains(service) && graph.services[service].failure != nil ? nil : .error
    case .cycle:
      // A resolver that has been handed on is a part of the construction that it was made for.
      if answer.isInside, analysis.isOnCycle[answer.service] { return nil }
      return analysis.leadsToHardCycle[answer.service] ? nil : .falseCycle
    case .cancellation:
      let caller = answer.caller.map { graph.callers[$0] }
      return caller?.cancelledAfter != nil ? nil : .strangersCancellation
    case .closed:
      // A construction whose callers were all cancelled may still be about to begin when the end comes.
      let isLate = answer.caller == nil && graph.callers.contains { $0.cancelledAfter != nil }
      return graph.closings.isEmpty && !isLate ? .error : nil
    case .endless: return .endless
    case .asyncRequired, .other: return .error
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
        if service.isKept, tally[.returned] > 1 + failures(for: index) {
          problems.append(
            GraphProblem(
              .builtTwice,
              "the factory of s\(index) returned \(tally[.returned]) times, with "
                + "\(failures(for: index)) failures to explain it"))
        }
        if tally[.factoryLetCycleOut] > 0, !analysis.leadsToHardCycle[index],
          !analysis.isOnCycle[index]
        {
          problems.append(
            GraphProblem(.falseCycle, "the factory of s\(index) was told of a cycle"))
        }
      }
    }
    return problems
  }

  /// How many failures may have made an instance useless that had been built.
  private func failures(for index: Int) -> Int {
    analysis.reach[index].union([index]).reduce(0) { sum, each in
      run.tallies[each].reduce(sum) { sum, tally in
        sum + tally[.failed] + tally[.letCancellationOut] + tally[.letClosedOut]
          + (analysis.leadsToHardCycle[each] ? tally[.letCycleOut] : 0)
      }
    }
  }

  private func identityProblems() -> [GraphProblem] {
    var first: [[Int]: Product] = [:]
    var problems: [GraphProblem] = []
    for answer in answers where !answer.isInside {
      guard case .success(let product) = answer.outcome else { continue }
      let lifetime = graph.services[product.service].lifetime
      if lifetime == .transient || lifetime == .graph { continue }
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
    for (product, _) in disposed where !serials.insert(product.serial).inserted {
      problems.append(GraphProblem(.disposal, "s\(product.service) was disposed of twice"))
    }
    for answer in answers where !answer.isInside {
      guard case .success(let product) = answer.outcome else { continue }
      for each in Self.reachable(from: product)
      where graph.services[each.service].disposer != nil && serials.insert(each.serial).inserted {
        problems.append(
          GraphProblem(.disposal, "s\(each.service), which was handed out, was not disposed of"))
      }
    }
    for (index, service) in graph.services.enumerated() where service.disposer != nil {
      for (container, tally) in run.tallies[index].enumerated() {
        let count = disposed.count {
          $0.product.service == index && $0.product.container == container
        }
        let mayMiss = failures(for: index)
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
        name: "s\(each.product.service)", container: each.closing,
        returned: each.product.returned, seen: each.product.seen, serial: each.product.serial,
        references: Set(Self.reachable(from: each.product).map(\.serial)))
    }
    return DisposedInstance.firstOutOfOrder(in: instances).map { first, second in
      [GraphProblem(.order, "\(first) was disposed of before \(second), which uses it")]
    } ?? []
  }

  // MARK: - References

  /// The product, and all that it leads to.
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
  /// What an instance lacks, or one that it leads to; `nil` when nothing.
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
