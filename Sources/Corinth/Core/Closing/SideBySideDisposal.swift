// SPDX-License-Identifier: MIT

extension EndingRegistrations {
  /// The relations of instances, which are in the order of their disposal.
  ///
  /// - Parameter noted: what the instances have noted, by the numbers of their registrations.
  func relations(
    of instances: [Disposable], _ noted: [UInt64: NotedDependencies]
  ) -> DisposalRelations {
    let notes = EndingNotes(of: container, noted)
    let graph = RegistrationGraph(of: self, from: instances.map(\.record), notes)
    let ending = EndingGraph(graph, of: instances) { graph.mayLeadToInstance($0) }
    var knowledge = [DependencyKnowledge](repeating: .complete, count: graph.nodes.count)
    for number in graph.nodes.indices {
      let own = ending.numbers[number]
      knowledge[own] = knowledge[own].joined(with: graph.knowledge(of: number))
    }
    return DisposalRelations(
      ofNodes: ending.nodes, dependencies: ending.dependencies, knowledge)
  }
}

extension DependencyKnowledge {
  /// The lesser knowledge of the two.
  fileprivate func joined(with other: DependencyKnowledge) -> DependencyKnowledge {
    switch (self, other) {
    case (.unknown, _), (_, .unknown): .unknown
    case (.lacksConstruction, _), (_, .lacksConstruction): .lacksConstruction
    case (.complete, .complete): .complete
    }
  }
}

extension NotedDependencies {
  /// The notes of the instances that a closing has found, by the numbers of their registrations.
  static func bySerial(of kept: [KeptState]) -> [UInt64: NotedDependencies] {
    var bySerial: [UInt64: NotedDependencies] = [:]
    for each in kept where each.record.policy.box == .strong {
      if let box = each.box {
        bySerial[each.record.serial, default: NotedDependencies()].add(box.dependencies)
      }
    }
    return bySerial
  }
}

extension [Disposable] {
  /// Disposes of them in their order, but of independent ones side by side, and reports each to the behaviors.
  func dispose(
    sideBySideAsFarAs relations: DisposalRelations, after outcome: ScopeOutcome,
    _ timeLimits: RunningTimeLimits
  ) async -> [DisposalFailure] {
    var failures = [[DisposalFailure]](repeating: [], count: count)
    var schedule = DisposalSchedule(of: count, relations)
    await withTaskGroup(of: (Int, [DisposalFailure]).self) { group in
      var running = 0
      while true {
        while running < timeLimits.limits.maximumConcurrency, let next = schedule.next() {
          running += 1
          let disposable = self[next]
          group.addTask { (next, await disposable.dispose(after: outcome, timeLimits)) }
        }
        guard let (ended, failuresHere) = await group.next() else { break }
        running -= 1
        failures[ended] = failuresHere
        self[ended].record.noteDisposal()
        schedule.end(ended)
      }
    }
    return failures.flatMap { $0 }
  }
}
