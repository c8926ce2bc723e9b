// SPDX-License-Identifier: MIT

/// Finds a smaller graph that fails in the same way.
public struct GraphShrinker {
  private let fails: (GraphDescription) -> Bool
  /// The number of candidates left to try.
  private var attempts: Int
  private let deadline: ContinuousClock.Instant

  /// - Parameter fails: runs a graph, often enough to see a failure that is rare.
  public init(
    attempts: Int = 1_000, time: Duration = .seconds(300),
    fails: @escaping (GraphDescription) -> Bool
  ) {
    self.attempts = attempts
    deadline = .now + time
    self.fails = fails
  }

  public mutating func shrink(_ graph: GraphDescription) -> GraphDescription {
    var smallest = graph
    while let smaller = firstFailing(of: smallest) { smallest = smaller }
    return smallest
  }

  private mutating func firstFailing(of graph: GraphDescription) -> GraphDescription? {
    for candidate in graph.smallerOnes where candidate != graph {
      if attempts == 0 || .now > deadline { return nil }
      attempts -= 1
      if fails(candidate) { return candidate }
    }
    return nil
  }
}

extension GraphDescription {
  /// The graphs with one part removed or simplified, the largest parts first.
  var smallerOnes: [GraphDescription] {
    let rules = GraphRules(allowing: self)
    return
      (withoutCallers + withoutServices + withoutContainers + withoutNeeds + simplerCallers
      + simplerServices).filter { rules.allow($0) }
  }

  private func changed(_ change: (inout GraphDescription) -> Void) -> GraphDescription {
    var graph = self
    change(&graph)
    return graph
  }

  private var withoutCallers: [GraphDescription] {
    callers.indices.map { index in changed { $0.callers.remove(at: index) } }
      + closings.indices.map { index in changed { $0.closings.remove(at: index) } }
      + changes.indices.map { index in changed { $0.changes.remove(at: index) } }
      + watchers.indices.map { index in changed { $0.watchers.remove(at: index) } }
      + watchers.indices.map { index in changed { $0.watchers[index].target = nil } }
  }

  private var withoutServices: [GraphDescription] {
    services.indices.reversed().map { removingService($0) }
      + services.indices.reversed().map { bypassingService($0).removingService($0) }
  }

  /// Replaces a service by its dependencies in all services and callers that ask for it.
  private func bypassingService(_ bypassed: Int) -> GraphDescription {
    let further = services[bypassed].needs.filter { $0.target != bypassed }
    if further.isEmpty || services[bypassed].lifetime == .forward { return self }
    func bypass(_ needs: [Need]) -> [Need] {
      needs.flatMap { need in
        need.target == bypassed
          ? further.map { Need($0.target, by: need.route, isOptional: need.isOptional) } : [need]
      }
    }
    var graph = self
    for index in services.indices where services[index].lifetime != .forward {
      graph.services[index].factory = bypass(services[index].factory)
      for number in services[index].decorators.indices {
        graph.services[index].decorators[number].needs = bypass(
          services[index].decorators[number].needs)
      }
      for number in services[index].actions.indices {
        graph.services[index].actions[number].needs = bypass(services[index].actions[number].needs)
      }
    }
    for index in callers.indices {
      graph.callers[index].services = callers[index].services.flatMap {
        $0 == bypassed ? further.map(\.target) : [$0]
      }
    }
    return graph
  }

  private func removingService(_ removed: Int) -> GraphDescription {
    func moved(_ index: Int) -> Int { index > removed ? index - 1 : index }
    var graph = self
    // A forward without a target becomes a singleton.
    graph.services[removed].lifetime = .singleton
    for index in services.indices
    where services[index].lifetime == .forward && services[index].factory[0].target == removed {
      graph.services[index].lifetime = .singleton
    }
    graph.changeNeeds { _, need, _ in
      need.target == removed
        ? nil : Need(moved(need.target), by: need.route, isOptional: need.isOptional)
    }
    for index in graph.services.indices where graph.services[index].lifetime == .forward {
      graph.services[index].factory[0].target = moved(graph.services[index].factory[0].target)
    }
    graph.services.remove(at: removed)
    for index in graph.services.indices {
      graph.services[index].farewells = graph.services[index].farewells.compactMap {
        $0.removing(removed)
      }
    }
    for index in graph.callers.indices {
      graph.callers[index].services =
        graph.callers[index].services.filter { $0 != removed }.map(moved)
    }
    for index in graph.watchers.indices {
      let target = graph.watchers[index].target
      graph.watchers[index].target = target == removed ? nil : target.map(moved)
    }
    graph.callers.removeAll { $0.services.isEmpty }
    graph.changes.removeAll { $0.service == removed }
    for index in graph.changes.indices {
      graph.changes[index].service = moved(graph.changes[index].service)
    }
    return graph
  }

  private var withoutContainers: [GraphDescription] {
    containers.indices.dropFirst().reversed().map { removed in
      let parent = containers[removed].parent ?? 0
      func moved(_ index: Int) -> Int {
        let kept = index == removed ? parent : index
        return kept > removed ? kept - 1 : kept
      }
      return changed { graph in
        graph.containers = graph.containers.map { kind in
          switch kind {
          case .root: .root
          case .child(let parent): .child(of: moved(parent))
          case .scope(let parent): .scope(of: moved(parent))
          case .request(let parent): .request(of: moved(parent))
          }
        }
        graph.containers.remove(at: removed)
        for index in graph.services.indices {
          graph.services[index].container = moved(graph.services[index].container)
          for number in graph.services[index].decorators.indices {
            graph.services[index].decorators[number].container = moved(
              graph.services[index].decorators[number].container)
          }
        }
        for index in graph.callers.indices {
          graph.callers[index].container = moved(graph.callers[index].container)
        }
        for index in graph.watchers.indices {
          graph.watchers[index].container = moved(graph.watchers[index].container)
        }
        for index in graph.closings.indices {
          graph.closings[index].container = moved(graph.closings[index].container)
        }
      }
    }
  }

  private var withoutNeeds: [GraphDescription] {
    var smaller: [GraphDescription] = []
    for (index, service) in services.enumerated() where service.lifetime != .forward {
      for number in service.factory.indices {
        smaller.append(changed { $0.services[index].factory.remove(at: number) })
      }
      for decorator in service.decorators.indices {
        smaller.append(changed { $0.services[index].decorators.remove(at: decorator) })
        for number in service.decorators[decorator].needs.indices {
          smaller.append(
            changed { $0.services[index].decorators[decorator].needs.remove(at: number) })
        }
      }
      for action in service.actions.indices {
        smaller.append(changed { $0.services[index].actions.remove(at: action) })
        for number in service.actions[action].needs.indices {
          smaller.append(
            changed { $0.services[index].actions[action].needs.remove(at: number) })
        }
      }
    }
    return smaller
  }

  private var simplerCallers: [GraphDescription] {
    var smaller: [GraphDescription] = []
    for (index, caller) in callers.enumerated() {
      if caller.services.count > 1 {
        for number in caller.services.indices {
          smaller.append(changed { $0.callers[index].services.remove(at: number) })
        }
      }
      if caller.isTask { smaller.append(changed { $0.callers[index].isTask = false }) }
      if caller.cancelledAfter != nil {
        smaller.append(changed { $0.callers[index].cancelledAfter = nil })
      }
    }
    return smaller
  }

  private var simplerServices: [GraphDescription] {
    var smaller: [GraphDescription] = []
    for (index, service) in services.enumerated() {
      func add(_ change: (inout ServiceDescription) -> Void) {
        smaller.append(changed { change(&$0.services[index]) })
      }
      if service.failure != nil { add { $0.failure = nil } }
      if service.disposer != nil { add { $0.disposer = nil } }
      if service.disposer == .async { add { $0.disposer = .sync } }
      if service.pause != .none { add { $0.pause = .none } }
      for number in service.farewells.indices { add { $0.farewells.remove(at: number) } }
      if service.container != 0 { add { $0.container = 0 } }
      if service.isWired { add { $0.isWired = false } }
      for (number, decorator) in service.decorators.enumerated() {
        if decorator.container != service.container {
          add { $0.decorators[number].container = service.container }
        }
        for (need, route) in decorator.needs.map(\.route).enumerated() where route != .resolver {
          add { $0.decorators[number].needs[need].route = .resolver }
        }
      }
      if service.isAsync {
        add { service in
          service.isAsync = false
          for number in service.actions.indices { service.actions[number].isAsync = false }
        }
      }
      if service.lifetime == .forward { continue }
      if service.lifetime != .singleton { add { $0.lifetime = .singleton } }
      for number in service.factory.indices {
        if service.factory[number].route != .resolver {
          add { $0.factory[number].route = .resolver }
        }
        if service.factory[number].isOptional { add { $0.factory[number].isOptional = false } }
      }
      for (action, actions) in service.actions.enumerated() {
        if actions.isAsync { add { $0.actions[action].isAsync = false } }
        for number in actions.needs.indices {
          if actions.needs[number].route != .resolver {
            add { $0.actions[action].needs[number].route = .resolver }
          }
          if actions.needs[number].isOptional {
            add { $0.actions[action].needs[number].isOptional = false }
          }
        }
      }
    }
    return smaller
  }
}

extension GraphRules {
  /// The rules for the smaller graphs of a graph.
  fileprivate init(allowing graph: GraphDescription) {
    var profile = GraphProfile("all", Set(GraphProfile.Feature.allCases))
    if !graph.services.indices.contains(where: { graph.crosses($0) }) {
      profile.features.remove(.crossings)
    }
    self.init(profile)
  }

  /// Whether the generator could have made it.
  fileprivate func allow(_ graph: GraphDescription) -> Bool {
    var allowed = graph
    apply(to: &allowed)
    return allowed == graph
  }
}
