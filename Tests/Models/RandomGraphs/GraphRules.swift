// SPDX-License-Identifier: MIT

import Corinth

/// Removes the parts of a graph that the guides do not allow, or that would run without end.
struct GraphRules {
  private let profile: GraphProfile

  init(_ profile: GraphProfile) {
    self.profile = profile
  }

  func apply(to graph: inout GraphDescription) {
    liftNamed(in: &graph)
    keepWiresPlain(in: &graph)
    removeInvisible(from: &graph)
    removeCaptive(from: &graph)
    // Each step only removes dependencies, and breaks no rule of an earlier step by that.
    keepUnsharedCyclesPlain(in: &graph)
    removeEndlessSpawns(from: &graph)
    bound(&graph)
    adjustCallers(of: &graph)
    adjustChanges(of: &graph)
    graph.keepWatchersPlain()
    graph.keepFarewellsPlain()
  }

  /// Registers what a scope of the name keeps in that scope, where it would be below: it is refused
  /// there.
  private func liftNamed(in graph: inout GraphDescription) {
    for index in graph.services.indices where graph.services[index].lifetime == .named {
      let lineage = graph.lineage(of: graph.services[index].container)
      guard let keeper = graph.namedScope(in: lineage) else { continue }
      graph.services[index].container = keeper
    }
  }

  /// Keeps what initializers can have parameters for, up to three, and optional parameters to
  /// those.
  private func keepWiresPlain(in graph: inout GraphDescription) {
    for index in graph.services.indices where graph.services[index].isWired {
      graph.services[index].factory = graph.services[index].factory.prefix(3).map { need in
        let isWirable = need.route.isWirable(graph.services[index].isAsync)
        return Need(need.target, by: isWirable ? need.route : .resolver)
      }
    }
    let all = graph
    graph.changeNeeds { index, need, part in
      let isParameter = all.services[index].isWired && part == .factory
      if need.route != .maybe || isParameter { return need }
      return Need(need.target, isOptional: need.isOptional)
    }
  }

  /// Removes dependencies in containers that the service cannot see, and asynchronous dependencies
  /// of synchronous code.
  private func removeInvisible(from graph: inout GraphDescription) {
    let all = graph
    graph.removeNeeds { _, need, isAsync, container in
      let target = all.services[need.target]
      // The captured container is no request scope.
      if need.route.beginsResolution, all.reachesScoped(need.target) { return true }
      if !all.lineage(of: container).contains(target.container) { return true }
      let isTask = need.route == .spawnedTask || need.route == .unrelatedTask
      return !isAsync && !isTask && all.isAsynchronous(need.target) && !profile.has(.crossings)
    }
  }

  /// Removes scoped dependencies of longer-lived services.
  private func removeCaptive(from graph: inout GraphDescription) {
    let all = graph
    graph.removeNeeds { index, need, _, _ in
      switch all.services[index].lifetime {
      case .transient, .graph, .scoped, .named, .forward: false
      case .singleton, .weak, .cached, .custom, .expiring, .stale: all.reachesScoped(need.target)
      }
    }
  }

  /// Keeps cycles of unshared services cheap. The core finds them after 64 levels on one thread:
  /// they must not have branches or threads, and no service may swallow their error, as each level
  /// would repeat the search.
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
    graph.changeNeeds { index, need, _ in
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

  /// Removes spawned resolves that would lead to the same factory again, and so on.
  private func removeEndlessSpawns(from graph: inout GraphDescription) {
    let all = graph
    let reach = GraphAnalysis.closure(of: all.services.map { $0.needs.map(\.target) })
    graph.removeNeeds { index, need, _, _ in
      guard need.route.isSpawned, need.target == index || reach[need.target].contains(index)
      else { return false }
      return !all.services[index].isKept
    }
  }

  /// Removes dependencies until no resolve runs hundreds of factories of unshared services.
  private func bound(_ graph: inout GraphDescription) {
    while graph.largestExpansion > 60 {
      let index = graph.services.indices.filter { graph.services[$0].lifetime != .forward }
        .max { graph.expansion(of: $0) < graph.expansion(of: $1) }
      guard let index else { return }
      if graph.services[index].decorators.contains(where: { !$0.needs.isEmpty }) {
        graph.services[index].decorators.removeLast()
      } else if graph.services[index].factory.count > 1 || graph.services[index].actions.isEmpty {
        graph.services[index].factory.removeLast()
      } else {
        graph.services[index].actions.removeLast()
      }
    }
  }

  /// Removes releases of forwards, and overrides with modifiers: a resolve may see the registration
  /// between two modifiers.
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

  /// Removes services that the container of a caller does not have. Callers of asynchronous
  /// services are tasks.
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
  /// The part of a service that has a dependency.
  enum Part: Equatable {
    case factory, decorator, action
  }

  /// Removes the dependencies for which `condition` holds.
  ///
  /// - Parameter condition: gets the service, the dependency, whether its code is asynchronous, and
  ///   the container that the code belongs to.
  mutating func removeNeeds(_ condition: (Int, Need, _ isAsync: Bool, _ container: Int) -> Bool) {
    let all = self
    for index in services.indices where services[index].lifetime != .forward {
      let service = all.services[index]
      let container = service.container
      services[index].factory.removeAll { condition(index, $0, service.isAsync, container) }
      for (number, decorator) in service.decorators.enumerated() {
        services[index].decorators[number].needs.removeAll {
          condition(index, $0, false, decorator.container)
        }
      }
      for (number, action) in service.actions.enumerated() {
        services[index].actions[number].needs.removeAll {
          condition(index, $0, action.isAsync, container)
        }
      }
    }
  }

  /// Replaces dependencies, or removes them.
  mutating func changeNeeds(_ change: (Int, Need, Part) -> Need?) {
    for index in services.indices where services[index].lifetime != .forward {
      services[index].factory = services[index].factory.compactMap { change(index, $0, .factory) }
      for number in services[index].decorators.indices {
        services[index].decorators[number].needs =
          services[index].decorators[number].needs.compactMap { change(index, $0, .decorator) }
      }
      for number in services[index].actions.indices {
        services[index].actions[number].needs =
          services[index].actions[number].needs.compactMap { change(index, $0, .action) }
      }
    }
  }

  /// Whether a service can be resolved from a container.
  public func has(_ service: Int, in container: Int) -> Bool {
    let lineage = lineage(of: container)
    return lineage.contains(services[service].container)
      && (!reachesScoped(service) || hasScope(lineage))
      && (!reachesNamed(service) || namedScope(in: lineage) != nil)
  }

  /// A caller of the first service that some container has.
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
    lineage.contains {
      switch containers[$0] {
      case .scope, .request: true
      case .root, .child: false
      }
    }
  }

  /// The name of all scopes that have one.
  static let scopeName: Name = "request"

  /// The nearest scope with a name.
  func namedScope(in lineage: [Int]) -> Int? {
    lineage.first { if case .request = containers[$0] { true } else { false } }
  }

  /// Whether a resolve of the service needs a request scope: the service is scoped, or leads to a
  /// scoped one through services that belong to the container of the caller.
  public func reachesScoped(_ index: Int) -> Bool {
    reaches([.scoped, .named], from: index, through: [.transient, .graph, .forward])
  }

  /// Whether it needs a request scope of the name: the dependencies of a scoped service belong to
  /// the container too.
  func reachesNamed(_ index: Int) -> Bool {
    reaches([.named], from: index, through: [.transient, .graph, .forward, .scoped])
  }

  private func reaches(
    _ ends: Set<ServiceDescription.Lifetime>, from index: Int,
    through passed: Set<ServiceDescription.Lifetime>
  ) -> Bool {
    var seen: Set<Int> = []
    var pending = [index]
    while let next = pending.popLast() {
      guard seen.insert(next).inserted else { continue }
      if ends.contains(services[next].lifetime) { return true }
      if passed.contains(services[next].lifetime) { pending += services[next].needs.map(\.target) }
    }
    return false
  }

  /// The number of factories of unshared services that a resolve runs.
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
