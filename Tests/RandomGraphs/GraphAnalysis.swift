// SPDX-License-Identifier: MIT

/// What follows from a graph's dependencies, whoever asks first.
///
/// A dependency is *hard* when no instance of the depending service exists before it: those of a factory, and
/// those of a transient's actions, as a transient is never lent. The others, of actions of shared
/// services, are *soft*. A cycle of hard dependencies alone cannot be built; one with a soft one can. One
/// that an asynchronous transient is on counts as hard: there is no promise for it, and the second of its
/// kind further in is reported at once.
public struct GraphAnalysis: Sendable {
  /// For each service, which services it leads to, by any dependencies.
  public let reach: [Set<Int>]
  /// Those that are on a cycle which may be an error, or lead to one.
  public let leadsToHardCycle: [Bool]
  /// Those that lead to synchronous code which needs an asynchronous service.
  public let leadsToCrossing: [Bool]
  /// Those that are on a cycle of any dependencies.
  public let isOnCycle: [Bool]

  public init(_ graph: GraphDescription) {
    let all = graph.services.map { $0.needs.filter { !$0.route.isUnrelated }.map(\.target) }
    let hard = graph.services.map { $0.hardNeeds.map(\.target) }
    let reach = Self.closure(of: all)
    let hardReach = Self.closure(of: hard)
    let isRefused = reach.indices.map { index in
      hardReach[index].contains(index)
        || reach[index].contains(index) && graph.services[index].lifetime == .transient
          && graph.isAsynchronous(index)
    }
    self.reach = reach
    let crosses = graph.services.indices.map { graph.crosses($0) }
    leadsToCrossing = reach.indices.map { index in
      crosses[index] || reach[index].contains { crosses[$0] }
    }
    isOnCycle = reach.indices.map { reach[$0].contains($0) }
    leadsToHardCycle = reach.indices.map { index in
      isRefused[index] || reach[index].contains { isRefused[$0] }
    }
  }

  /// Whether two services need each other.
  public func areOnOneCycle(_ one: Int, _ other: Int) -> Bool {
    reach[one].contains(other) && reach[other].contains(one)
  }

  /// For each node, which nodes a way of one edge or more leads to.
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
  public var needs: [Need] { factory + actions.flatMap(\.needs) }

  /// Those without which there is no instance to lend.
  ///
  /// A resolver that a factory hands to a thread or task which it does not wait for counts: the container
  /// cannot know that it is not waited for, and an error is the safe side.
  public var hardNeeds: [Need] {
    let hard =
      lifetime == .transient
      ? needs : factory + actions.flatMap(\.needs).filter { $0.route.isSpawned }
    return hard.filter { !$0.route.isUnrelated }
  }

  /// Whether all who ask in one container get one instance, for as long as that is open.
  public var isKept: Bool {
    switch lifetime {
    case .singleton, .cached, .custom, .scoped: true
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

  /// Whether synchronous code of the service needs an asynchronous one.
  func crosses(_ index: Int) -> Bool {
    let service = services[index]
    if service.lifetime == .forward { return false }
    let parts =
      [(service.isAsync, service.factory)] + service.actions.map { ($0.isAsync, $0.needs) }
    return parts.contains { isAsync, needs in
      !isAsync && needs.contains { isAsynchronous($0.target) }
    }
  }

  /// The container and its ancestors, nearest first.
  public func lineage(of container: Int) -> [Int] {
    var lineage = [container]
    while let parent = containers[lineage[lineage.count - 1]].parent { lineage.append(parent) }
    return lineage
  }

  /// The service that a chain of forwards ends at.
  public func served(by index: Int) -> Int {
    services[index].lifetime == .forward ? served(by: services[index].factory[0].target) : index
  }
}
