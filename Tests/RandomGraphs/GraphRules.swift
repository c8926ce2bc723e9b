// SPDX-License-Identifier: MIT

/// Takes out of a graph what the guides do not allow, and what would take for ever.
struct GraphRules {
  private let profile: GraphProfile

  init(_ profile: GraphProfile) {
    self.profile = profile
  }

  func apply(to graph: inout GraphDescription) {
    removeInvisible(from: &graph)
    removeCaptive(from: &graph)
    // Each of these only takes dependencies away, so that no earlier one has to look again.
    keepUnsharedCyclesPlain(in: &graph)
    removeEndlessSpawns(from: &graph)
    bound(&graph)
    adjustCallers(of: &graph)
    adjustChanges(of: &graph)
  }

  /// Dependencies that are registered where the service cannot see them, and those of synchronous code on
  /// asynchronous services.
  private func removeInvisible(from graph: inout GraphDescription) {
    let all = graph
    graph.removeNeeds { index, need, isAsync in
      let target = all.services[need.target]
      // A scoped instance is not the captured container's.
      if need.route.beginsResolution, all.reachesScoped(need.target) { return true }
      if !all.lineage(of: all.services[index].container).contains(target.container) { return true }
      let isTask = need.route == .spawnedTask || need.route == .unrelatedTask
      return !isAsync && !isTask && all.isAsynchronous(need.target) && !profile.has(.crossings)
    }
  }

  /// Scoped instances that a longer-lived one would keep.
  private func removeCaptive(from graph: inout GraphDescription) {
    let all = graph
    graph.removeNeeds { index, need, _ in
      switch all.services[index].lifetime {
      case .transient, .graph, .scoped, .forward: false
      case .singleton, .weak, .cached, .custom, .expiring, .stale: all.reachesScoped(need.target)
      }
    }
  }

  /// Cycles of services that are not shared are found after 64 levels on one thread: they are to be without
  /// branches, threads, and errors that are swallowed. Nor is an error swallowed that comes from such a cycle,
  /// as each level would search it again.
  private func keepUnsharedCyclesPlain(in graph: inout GraphDescription) {
    let all = graph
    let unshared = all.services.indices.filter { !all.services[$0].isKept }
    let edges = all.services.indices.map { index in
      unshared.contains(index)
        ? all.services[index].needs.map(\.target).filter { unshared.contains($0) } : []
    }
    let reach = GraphAnalysis.closure(of: edges)
    let cyclic = reach.indices.filter { reach[$0].contains($0) }
    let toCycles = GraphAnalysis.closure(of: all.services.map { $0.needs.map(\.target) })
      .map { !$0.isDisjoint(with: cyclic) }
    let mayCapture = profile.has(.capturedCycles)
    var kept: Set<Int> = []
    graph.changeNeeds { index, need, isAction in
      guard reach[index].contains(need.target) || index == need.target,
        reach[need.target].contains(index)
      else {
        let mayFail = need.isOptional && !toCycles[need.target] && !cyclic.contains(need.target)
        return Need(need.target, by: need.route, isOptional: mayFail)
      }
      // One dependency of each service stays.
      guard kept.insert(index).inserted, !need.route.isSpawned else { return nil }
      let route: Need.Route =
        mayCapture && (need.route == .container || need.route == .provider) ? need.route : .resolver
      return Need(need.target, by: route)
    }
  }

  /// What a factory leaves alone may ask for the factory's own instance again, if that is going to be there.
  private func removeEndlessSpawns(from graph: inout GraphDescription) {
    let all = graph
    let reach = GraphAnalysis.closure(of: all.services.map { $0.needs.map(\.target) })
    graph.removeNeeds { index, need, _ in
      guard need.route.isSpawned, need.target == index || reach[need.target].contains(index)
      else { return false }
      return !all.services[index].isKept
    }
  }

  /// A graph in which one resolve would run hundreds of factories of services that are not shared loses
  /// dependencies until it does not.
  private func bound(_ graph: inout GraphDescription) {
    while graph.largestExpansion > 60 {
      let index = graph.services.indices.filter { graph.services[$0].lifetime != .forward }
        .max { graph.expansion(of: $0) < graph.expansion(of: $1) }
      guard let index else { return }
      if graph.services[index].factory.count > 1 || graph.services[index].actions.isEmpty {
        graph.services[index].factory.removeLast()
      } else {
        graph.services[index].actions.removeLast()
      }
    }
  }

  /// Only what is kept for others can be released. A registration that is made in several steps is not replaced,
  /// as it could be seen between them.
  private func adjustChanges(of graph: inout GraphDescription) {
    let all = graph
    graph.changes.removeAll { change in
      let service = all.services[change.service]
      return switch change.kind {
      case .release: service.lifetime == .forward
      case .override: !service.isMadeInOneStep
      }
    }
  }

  /// Callers only ask for what their container has, and threads for no asynchronous services.
  private func adjustCallers(of graph: inout GraphDescription) {
    for index in graph.callers.indices {
      let caller = graph.callers[index]
      let all = graph
      let services = caller.services.filter { all.has($0, in: caller.container) }
      graph.callers[index].services = services
      if services.contains(where: { all.isAsynchronous($0) }), !profile.has(.crossings) {
        graph.callers[index].isTask = true
      }
    }
    graph.callers.removeAll { $0.services.isEmpty }
    if graph.callers.isEmpty, let caller = graph.anyCaller { graph.callers = [caller] }
  }
}

extension GraphDescription {
  /// Removes the dependencies for which `condition` holds: of this service, and whether of asynchronous code.
  mutating func removeNeeds(_ condition: (Int, Need, _ isAsync: Bool) -> Bool) {
    for index in services.indices where services[index].lifetime != .forward {
      let isAsync = services[index].isAsync
      services[index].factory.removeAll { condition(index, $0, isAsync) }
      for number in services[index].actions.indices {
        let isAsync = services[index].actions[number].isAsync
        services[index].actions[number].needs.removeAll { condition(index, $0, isAsync) }
      }
    }
  }

  /// Replaces dependencies, or removes them.
  mutating func changeNeeds(_ change: (Int, Need, _ isAction: Bool) -> Need?) {
    for index in services.indices where services[index].lifetime != .forward {
      services[index].factory = services[index].factory.compactMap { change(index, $0, false) }
      for number in services[index].actions.indices {
        services[index].actions[number].needs =
          services[index].actions[number].needs.compactMap { change(index, $0, true) }
      }
    }
  }

  /// Whether a service can be resolved from a container.
  public func has(_ service: Int, in container: Int) -> Bool {
    let lineage = lineage(of: container)
    return lineage.contains(services[service].container)
      && (!reachesScoped(service) || hasScope(lineage))
  }

  /// Somebody who asks for the first service that can be resolved from some container.
  fileprivate var anyCaller: CallerDescription? {
    for service in services.indices {
      for container in containers.indices where has(service, in: container) {
        return CallerDescription(
          isTask: isAsynchronous(service), container: container, services: [service])
      }
    }
    return nil
  }

  /// Whether a container is a scope, or within one.
  func hasScope(_ lineage: [Int]) -> Bool {
    lineage.contains { if case .scope = containers[$0] { true } else { false } }
  }

  /// Whether a resolve of the service needs a request scope: it is scoped, or leads to such through services
  /// that belong to the container that was asked.
  public func reachesScoped(_ index: Int) -> Bool {
    var seen: Set<Int> = []
    var pending = [index]
    while let next = pending.popLast() {
      guard seen.insert(next).inserted else { continue }
      switch services[next].lifetime {
      case .scoped: return true
      case .transient, .graph, .forward: pending += services[next].needs.map(\.target)
      default: break
      }
    }
    return false
  }

  /// How many factories a resolve runs if no shared instance is there and none is kept.
  func expansion(of index: Int) -> Int {
    var path: Set<Int> = []
    return expansion(of: index, &path)
  }

  var largestExpansion: Int { services.indices.map { expansion(of: $0) }.max() ?? 0 }

  private func expansion(of index: Int, _ path: inout Set<Int>) -> Int {
    guard path.insert(index).inserted else { return 1 }
    defer { path.remove(index) }
    var sum = 1
    for need in services[index].needs {
      if services[need.target].isKept { sum += 1 } else { sum += expansion(of: need.target, &path) }
      if sum > 1_000 { return sum }
    }
    return sum
  }
}
