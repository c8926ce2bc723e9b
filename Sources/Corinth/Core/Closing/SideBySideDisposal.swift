// SPDX-License-Identifier: MIT

extension EndingRegistrations {
  /// The relations of instances in the order of disposal.
  ///
  /// - Parameter noted: the notes of the instances, by the numbers of the registrations.
  func relations(
    of instances: [Disposable], _ noted: [UInt64: NotedDependencies]
  ) -> DisposalRelations {
    let notes = EndingNotes(of: container, noted)
    let graph = RegistrationGraph(of: self, from: instances.map(\.record), notes)
    let ending = EndingGraph(graph, of: instances) { graph.mayLeadToInstance($0) }
    var knowledge = [DependencyKnowledge](repeating: .complete, count: graph.nodes.count)
    for number in graph.nodes.indices {
      let own = ending.numbers[number]
      knowledge[own] = max(knowledge[own], graph.knowledge(of: number))
    }
    return DisposalRelations(
      ofNodes: ending.nodes, dependencies: ending.dependencies, knowledge)
  }
}

extension NotedDependencies {
  /// The notes of the instances found by a closing, by the numbers of the registrations.
  static func bySerial(of kept: [KeptState]) -> [UInt64: NotedDependencies] {
    var bySerial: [UInt64: NotedDependencies] = [:]
    for each in kept where each.record.policy.box.isStrong {
      if let box = each.box {
        bySerial[each.record.serial, default: NotedDependencies()].add(box, of: each.record)
      }
    }
    return bySerial
  }
}

extension [Disposable] {
  /// Disposes of the instances in order, but of independent ones side by side, and reports them.
  func dispose(
    in container: ContainerCore, sideBySideAsFarAs relations: DisposalRelations,
    after outcome: ScopeOutcome, _ timeLimits: RunningTimeLimits
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
        container.noteDisposal(of: self[ended].record)
        schedule.end(ended)
      }
    }
    return failures.flatMap { $0 }
  }
}
