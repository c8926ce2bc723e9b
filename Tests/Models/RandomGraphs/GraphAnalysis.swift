// SPDX-License-Identifier: MIT

/// The cycles of a graph, independent of the order of the callers.
///
/// A dependency is *hard* if the depending service has no instance before it. Dependencies of
/// factories and decorators are hard, and so are dependencies of a transient's actions, as a
/// transient is never lent. Dependencies of actions of shared services are *soft*. A cycle of hard
/// dependencies alone cannot be built; a cycle with a soft dependency can. A cycle through an
/// asynchronous transient counts as hard: the guides promise nothing for it, and the core reports
/// the second transient of its kind at once. So does a cycle of transients and graph instances
/// through the container or a provider: each resolution builds these again, without end.
public struct GraphAnalysis: Sendable {
  /// For each service, all services that its dependencies lead to.
  public let reach: [Set<Int>]
  /// For each service, all services that dependencies lead to which the library knows by name:
  /// those of wired initializers, and of forwards.
  let named: [Set<Int>]
  /// The services on a cycle that may be an error, and the services that lead to such a cycle.
  public let leadsToHardCycle: [Bool]
  /// The services that lead to synchronous code with an asynchronous dependency.
  public let leadsToCrossing: [Bool]
  /// The services that a cycle error may fail: those that lead to a hard cycle, and those that
  /// something started by a factory or an action, with its resolver, may build. That gets the error
  /// for waits which would have ended.
  public let mayFailByCycle: [Bool]
  /// The services on a cycle of any dependencies.
  public let isOnCycle: [Bool]
  /// The services that deinits and behaviors resolve, and those that these lead to. Both run inside
  /// of any construction.
  public let isBuiltByDeinits: [Bool]

  public init(_ graph: GraphDescription) {
    let all = graph.services.map { $0.needs.filter { !$0.route.isUnrelated }.map(\.target) }
    let hard = graph.services.map { $0.hardNeeds.map(\.target) }
    let reach = Self.closure(of: all)
    let hardReach = Self.closure(of: hard)
    let rebuilt = Self.rebuiltWithoutEnd(in: graph)
    let isRefused = reach.indices.map { index in
      hardReach[index].contains(index)
        || reach[index].contains(index) && graph.services[index].lifetime == .transient
          && graph.isAsynchronous(index)
        || rebuilt.contains(index)
    }
    self.reach = reach
    named = Self.closure(
      of: graph.services.map { service in
        service.isWired || service.lifetime == .forward ? service.factory.map(\.target) : []
      })
    let crosses = graph.services.indices.map { graph.crosses($0) }
    leadsToCrossing = reach.indices.map { index in
      crosses[index] || reach[index].contains { crosses[$0] }
    }
    isOnCycle = reach.indices.map { reach[$0].contains($0) }
    let resolved = graph.resolvedAnywhere
    isBuiltByDeinits = reach.indices.map { index in
      resolved.contains { $0 == index || reach[$0].contains(index) }
    }
    let leadsToHardCycle = reach.indices.map { index in
      isRefused[index] || reach[index].contains { isRefused[$0] }
    }
    self.leadsToHardCycle = leadsToHardCycle
    let started = graph.services.flatMap { service in
      service.needs.filter { $0.route.isSpawned && !$0.route.isUnrelated }.map(\.target)
    }
    mayFailByCycle = reach.indices.map { index in
      leadsToHardCycle[index] || started.contains { $0 == index || reach[$0].contains(index) }
    }
  }

  /// The services on cycles of which each resolution builds all instances again, and begins another
  /// resolution.
  private static func rebuiltWithoutEnd(in graph: GraphDescription) -> Set<Int> {
    let inside = graph.services.map { service in
      service.isBuiltByEachResolution
        ? service.needs.filter {
          !$0.route.isUnrelated && graph.services[$0.target].isBuiltByEachResolution
        } : []
    }
    let reach = closure(of: inside.map { $0.map(\.target) })
    var rebuilt: Set<Int> = []
    for (index, needs) in inside.enumerated() {
      for need in needs where need.route.beginsResolution && reach[need.target].contains(index) {
        rebuilt.formUnion(reach[index].filter { reach[$0].contains(index) })
      }
    }
    return rebuilt
  }

  /// Whether a service may get another one early: they need each other, or a deinit inside of one
  /// resolves the other one.
  public func mayBorrow(_ borrower: Int, from lender: Int) -> Bool {
    isBuiltByDeinits[lender]
      || reach[borrower].contains(lender)
        && (reach[lender].contains(borrower) || isBuiltByDeinits[borrower])
  }

  /// Whether a service leads to a synchronous one that may be held for an asynchronous one. A
  /// synchronous resolve in a task is refused meanwhile.
  func leadsToHeld(_ index: Int, in graph: GraphDescription) -> Bool {
    graph.services.indices.contains { held in
      mayBegin(held, inside: index) && !graph.isAsynchronous(held)
        && graph.services.indices.contains {
          graph.isAsynchronous($0) && mayBorrow(held, from: $0)
        }
    }
  }

  /// Whether a service may be built inside of another one.
  public func mayBegin(_ service: Int, inside other: Int) -> Bool {
    service == other || reach[other].contains(service) || isBuiltByDeinits[service]
  }

  /// For each node, the nodes at the end of a path of one edge or more.
  static func closure(of edges: [[Int]]) -> [Set<Int>] {
    edges.indices.map { start in
      var reached: Set<Int> = []
      var pending = edges[start]
      while let next = pending.popLast() {
        if reached.insert(next).inserted { pending += edges[next] }
      }
      return reached
    }
  }
}

extension ServiceDescription {
  /// All its dependencies.
  public var needs: [Need] { parts.flatMap(\.needs) }

  /// The code of the service: its factory, its decorators, its actions.
  public var parts: [(isAsync: Bool, needs: [Need])] {
    [(isAsync, factory)] + decorators.map { (false, $0.needs) }
      + actions.map { ($0.isAsync, $0.needs) }
  }

  /// The dependencies without which there is no instance to lend.
  ///
  /// A resolve by a thread or task that was handed the resolver counts, even if the factory does
  /// not wait for it: the container cannot know, and an error is the safe side.
  public var hardNeeds: [Need] {
    let hard =
      lifetime == .transient
      ? needs
      : factory + decorators.flatMap(\.needs)
        + actions.flatMap(\.needs).filter { $0.route.isSpawned }
    return hard.filter { !$0.route.isUnrelated }
  }

  /// Whether another resolution builds another instance.
  fileprivate var isBuiltByEachResolution: Bool {
    lifetime == .transient || lifetime == .graph || lifetime == .forward
  }

  /// Whether all callers of one container share one instance until the container closes.
  public var isKept: Bool {
    switch lifetime {
    case .singleton, .cached, .custom, .scoped, .named: true
    case .transient, .graph, .weak, .forward, .expiring, .stale: false
    }
  }
}

extension ServiceDescription {
  /// Whether its registration takes no modifiers.
  var isMadeInOneStep: Bool {
    actions.isEmpty && disposer == nil && lifetime != .custom && lifetime != .forward
  }
}

extension GraphDescription {
  /// Whether only `resolveAsync` builds the service.
  public func isAsynchronous(_ index: Int) -> Bool {
    let service = services[index]
    if service.lifetime == .forward { return isAsynchronous(service.factory[0].target) }
    return service.isAsync || service.actions.contains(where: \.isAsync)
  }

  /// Whether synchronous code of the service has an asynchronous dependency.
  func crosses(_ index: Int) -> Bool {
    let service = services[index]
    if service.lifetime == .forward { return false }
    return service.parts.contains { isAsync, needs in
      !isAsync && needs.contains { isAsynchronous($0.target) }
    }
  }

  /// The container and its ancestors, nearest first.
  public func lineage(of container: Int) -> [Int] {
    var lineage = [container]
    while let parent = containers[lineage[lineage.count - 1]].parent { lineage.append(parent) }
    return lineage
  }

  /// The decorators that an instance gets which belongs to a container, by their numbers, the
  /// innermost first.
  func decorators(of index: Int, in container: Int) -> [Int] {
    let decorators = services[index].decorators
    return lineage(of: container).reversed().flatMap { container in
      decorators.indices.filter { decorators[$0].container == container }
    }
  }

  /// The service at the end of a chain of forwards.
  public func served(by index: Int) -> Int {
    services[index].lifetime == .forward ? served(by: services[index].factory[0].target) : index
  }
}
