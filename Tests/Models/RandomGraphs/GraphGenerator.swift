// SPDX-License-Identifier: MIT

import TestSupport

/// Makes a graph from a seed. The graph only does things that the guides allow; see ``GraphRules``.
public struct GraphGenerator {
  private var random: SeededGenerator
  private let profile: GraphProfile
  private var graph = GraphDescription()
  private var chances = Chances()

  public static func graph(seed: UInt64, _ profile: GraphProfile) -> GraphDescription {
    var generator = GraphGenerator(SeededGenerator(seed: seed), profile)
    return generator.make()
  }

  private init(_ random: SeededGenerator, _ profile: GraphProfile) {
    self.random = random
    self.profile = profile
  }

  private mutating func make() -> GraphDescription {
    chances = Chances(drawnFor: profile, by: &random)
    makeContainers()
    let size = 2 + below(min(pick([3, 3, 7, profile.size - 1]), profile.size - 1))
    for index in 0..<size { graph.services.append(service(index)) }
    for index in 0..<size { addNeeds(to: index) }
    for index in 0..<size where percent(chances.failure) { addFailure(to: index) }
    if profile.has(.forwards), percent(20) { addForward() }
    addCallers()
    addWatchers()
    addFarewells()
    GraphRules(profile).apply(to: &graph)
    return graph
  }

  // MARK: - Services

  private mutating func makeContainers() {
    // What named scopes draw, they alone draw: the other profiles keep their graphs.
    let mayBeNamed = profile.has(.namedScopes)
    guard profile.has(.children), percent(mayBeNamed ? 90 : 30) else { return }
    for _ in 0..<((mayBeNamed ? 2 : 1) + below(3)) {
      let isInnermost = mayBeNamed && percent(60)
      let parent = isInnermost ? graph.containers.count - 1 : below(graph.containers.count)
      let isNamed = mayBeNamed && percent(40)
      graph.containers.append(
        isNamed ? .request(of: parent) : percent(70) ? .scope(of: parent) : .child(of: parent))
    }
  }

  private mutating func service(_ index: Int) -> ServiceDescription {
    var service = ServiceDescription(lifetime())
    service.isAsync = percent(chances.async)
    if graph.containers.count > 1, percent(15) { service.container = below(graph.containers.count) }
    if percent(chances.afterInit) {
      for _ in 0..<(percent(25) ? 2 : 1) {
        service.actions.append(ActionDescription(isAsync: percent(chances.async) && percent(60)))
      }
    }
    if profile.has(.disposers), percent(40),
      [.singleton, .scoped, .named].contains(service.lifetime)
    {
      service.disposer = percent(70) ? .sync : .async
    }
    if profile.has(.wiring) { service.isWired = percent(chances.wiring) }
    if profile.has(.decorators), percent(chances.decorator) {
      for _ in 0..<(1 + below(2)) {
        let container = percent(75) ? service.container : below(graph.containers.count)
        service.decorators.append(DecoratorDescription(in: container))
      }
    }
    if percent(chances.pause) { service.pause = pick(ServiceDescription.Pause.generated) }
    return service
  }

  private mutating func lifetime() -> ServiceDescription.Lifetime {
    var choices: [ServiceDescription.Lifetime] = [.singleton, .singleton, .singleton, .singleton]
    if profile.has(.transients) { choices.append(.transient) }
    if profile.has(.graphs) { choices.append(.graph) }
    if profile.has(.weak) { choices.append(.weak) }
    if profile.has(.cached) { choices.append(.cached) }
    if profile.has(.expiring), percent(30) { choices += [.expiring, .stale] }
    if profile.has(.custom) { choices.append(.custom) }
    if graph.hasScope(Array(graph.containers.indices)) { choices += [.scoped, .scoped] }
    if graph.namedScope(in: Array(graph.containers.indices)) != nil {
      choices += [.named, .named, .named, .named]
    }
    return pick(choices)
  }

  private mutating func addNeeds(to index: Int) {
    let isShared = graph.services[index].lifetime != .transient
    for _ in 0..<below(chances.density + 2) {
      let route = route(graph.services[index].isAsync, after: graph.services[index].factory.last)
      let isBack = percent(chances.hardCycle) || (route.isUnrelated && percent(50))
      guard let target = target(from: index, isBack: isBack) else { continue }
      graph.services[index].factory.append(need(target, by: route))
    }
    for number in graph.services[index].decorators.indices {
      for _ in 0..<below(chances.density + 1) {
        let route = route(false, after: graph.services[index].decorators[number].needs.last)
        let isBack = percent(chances.hardCycle) || (route.isUnrelated && percent(50))
        guard let target = target(from: index, isBack: isBack) else { continue }
        graph.services[index].decorators[number].needs.append(need(target, by: route))
      }
    }
    for number in graph.services[index].actions.indices {
      for _ in 0..<(1 + below(chances.density)) {
        let action = graph.services[index].actions[number]
        let route = route(action.isAsync, after: action.needs.last)
        let maySoft =
          profile.has(.softCycles) && isShared && (!route.isSpawned || route.isUnrelated)
        let isBack = maySoft ? percent(70) : percent(chances.hardCycle)
        guard let target = target(from: index, isBack: isBack) else { continue }
        graph.services[index].actions[number].needs.append(need(target, by: route))
      }
    }
  }

  /// A later service, or if `isBack` any.
  private mutating func target(from index: Int, isBack: Bool) -> Int? {
    let size = graph.services.count
    if isBack { return below(size) }
    return index + 1 < size ? index + 1 + below(min(size - index - 1, 5)) : nil
  }

  private mutating func need(_ target: Int, by route: Need.Route) -> Need {
    Need(target, by: route, isOptional: profile.has(.optionals) && percent(chances.optional))
  }

  /// - Parameter last: the previous dependency. Repeating its route makes threads or tasks begin
  ///   together.
  private mutating func route(_ isAsync: Bool, after last: Need?) -> Need.Route {
    if let last, last.route != .resolver, percent(40) { return last.route }
    if !percent(chances.route) { return .resolver }
    var routes = isAsync ? Need.Route.asynchronous : Need.Route.synchronous
    if profile.has(.lazies) { routes += [.lazy, .maybe] }
    let route = pick(routes)
    return profile.allows(route) ? route : .resolver
  }

  private mutating func addFailure(to index: Int) {
    let hasActions = !graph.services[index].actions.isEmpty
    if !graph.services[index].decorators.isEmpty, percent(50) {
      graph.services[index].failure = FailureDescription(
        .decorator, isPermanent: percent(chances.permanence))
      return
    }
    graph.services[index].failure = FailureDescription(
      hasActions && percent(50) ? .action : .factory, isPermanent: percent(30))
  }

  private mutating func addForward() {
    let target = below(graph.services.count)
    var forward = ServiceDescription(.forward)
    forward.container = graph.services[target].container
    forward.factory = [Need(target)]
    graph.services.append(forward)
    let last = graph.services.count - 1
    for index in graph.services.indices.dropLast() {
      for number in graph.services[index].factory.indices
      where graph.services[index].factory[number].target == target && percent(50) {
        graph.services[index].factory[number].target = last
      }
    }
  }

  // MARK: - Deinits

  /// Drawn last, and only in profiles that have them: the graphs are those without, and deinits.
  private mutating func addFarewells() {
    guard profile.has(.farewells), percent(60) else { return }
    let chance = pick([20, 60, 100])
    let mayResolve = percent(40)
    for index in graph.services.indices where percent(chance) {
      for _ in 0..<(1 + below(2)) {
        graph.services[index].farewells.append(
          mayResolve && percent(40)
            ? .service(below(graph.services.count)) : .deed(pick(Farewell.Deed.allCases)))
      }
    }
  }

  // MARK: - Behaviors

  private mutating func addWatchers() {
    guard profile.has(.behaviors) else { return }
    let mayResolve = percent(30)
    for _ in 0..<(1 + below(3)) {
      var watcher = WatcherDescription(
        container: below(graph.containers.count),
        events: pick(WatcherDescription.Events.allCases), isTimed: percent(50))
      if mayResolve, percent(60) { watcher.target = below(graph.services.count) }
      if percent(30) { watcher.after = below(40) }
      graph.watchers.append(watcher)
    }
  }

  // MARK: - Callers

  private mutating func addCallers() {
    // The callers of a herd ask for the same service at the same time.
    let isHerd = percent(30)
    let wanted = below(min(3, graph.services.count))
    let count = isHerd ? 3 + below(6) : pick([1, 1, 2, 2, 2, 3, 4, 6])
    for _ in 0..<count {
      var caller = CallerDescription(
        isTask: profile.has(.async) && percent(isHerd ? 80 : 50),
        container: below(graph.containers.count))
      if isHerd { caller.services.append(wanted) }
      for _ in 0..<(isHerd ? below(2) : 1 + below(3)) {
        let count = graph.services.count
        caller.services.append(percent(50) ? below(min(3, count)) : below(count))
      }
      if caller.isTask, percent(chances.cancellation) { caller.cancelledAfter = below(40) }
      graph.callers.append(caller)
    }
    if profile.has(.changes), percent(15) {
      for _ in 0..<(1 + below(3)) {
        graph.changes.append(
          ChangeDescription(
            below(graph.services.count), by: pick(ChangeDescription.Kind.allCases),
            after: below(40)))
      }
    }
    guard profile.has(.closing) else { return }
    for _ in 0..<(profile.has(.closings) ? 1 + below(2) : 1) {
      graph.closings.append(
        ClosingDescription(
          below(graph.containers.count), by: pick(ClosingDescription.Kind.allCases),
          after: below(40)))
    }
  }

  // MARK: - Choosing

  private mutating func below(_ bound: Int) -> Int {
    bound <= 1 ? 0 : Int.random(in: 0..<bound, using: &random)
  }

  private mutating func percent(_ chance: Int) -> Bool { below(100) < chance }

  private mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[below(elements.count)]
  }
}

/// Probabilities in per cent, drawn once for each graph: some graphs are full of features that
/// others lack.
private struct Chances {
  var async = 0
  var afterInit = 0
  var failure = 0
  var hardCycle = 0
  var route = 0
  var pause = 0
  var cancellation = 0
  var density = 1
  var decorator = 0
  var wiring = 0
  var optional = 10
  var permanence = 30

  init() {}

  init(drawnFor profile: GraphProfile, by random: inout SeededGenerator) {
    func pick(_ feature: GraphProfile.Feature?, _ chances: [Int]) -> Int {
      let chance = chances[Int.random(in: 0..<chances.count, using: &random)]
      return feature.map(profile.has) ?? true ? chance : 0
    }
    async = profile.has(.sync) ? pick(.async, [0, 30, 60, 100]) : 100
    afterInit = pick(.afterInit, [0, 20, 50, 90])
    failure = pick(.failures, [0, 0, 15, 40])
    hardCycle = pick(.hardCycles, [0, 0, 15, 50])
    route = pick(nil, [10, 30, 70])
    pause = pick(nil, [0, 30, 90])
    cancellation = pick(.cancellation, [0, 0, 20, 50])
    density = pick(nil, [1, 2, 3])
    // Drawn only where they count: the other profiles keep their graphs.
    if profile.has(.decorators) { decorator = pick(nil, [0, 20, 50, 90]) }
    if profile.has(.wiring) { wiring = pick(nil, [0, 30, 80]) }
    guard profile.has(.stubborn) else { return }
    afterInit = pick(.afterInit, [50, 90])
    failure = pick(.failures, [15, 40])
    hardCycle = pick(.hardCycles, [15, 50, 90])
    density = pick(nil, [2, 3, 4])
    optional = pick(nil, [10, 40])
    permanence = pick(nil, [60, 100])
  }
}

extension GraphProfile {
  func allows(_ route: Need.Route) -> Bool {
    switch route {
    case .resolver: true
    case .container: has(.containers)
    case .provider: has(.providers)
    case .lazy: has(.lazies)
    case .maybe: has(.wiring)
    case .thread: has(.threads)
    case .childTask, .task, .detachedTask: has(.tasks)
    case .spawnedThread, .spawnedTask: has(.spawned)
    case .unrelatedThread, .unrelatedTask: has(.unrelated)
    }
  }
}
