// SPDX-License-Identifier: MIT

/// The order in which a closing disposes of its instances: the reverse order of completion, except
/// that dependents come before their dependencies.
///
/// A dependent completed before a dependency, resolved only later, moves forward with its own
/// dependents. Nothing moves back: instances behind may depend on the moved one, unknown to the
/// library. The instances of nodes in a cycle keep the reverse order of completion.
struct DisposalOrder {
  /// For each strongly connected group of nodes, the dependent groups, once for each edge.
  private var dependents: [[Int]]
  /// For each group, the number of edges to groups not completely placed yet.
  private var openEdges: [Int]
  /// For each group, the instances of its nodes.
  private var instances: [[Int]]
  /// For each group, the number of instances not placed yet.
  private var unplaced: [Int]
  private var groupOfInstance: [Int]

  /// - Parameters:
  ///   - nodes: the node of each instance, in the reverse order of completion. Nodes may repeat.
  ///   - dependencies: the nodes on which each node depends.
  private init(ofNodes nodes: [Int], dependencies: [[Int]]) {
    let groups = stronglyConnectedGroups(count: dependencies.count) { dependencies[$0] }
    var groupOfNode = [Int](repeating: 0, count: dependencies.count)
    for (group, members) in groups.enumerated() {
      for member in members { groupOfNode[member] = group }
    }
    dependents = [[Int]](repeating: [], count: groups.count)
    openEdges = [Int](repeating: 0, count: groups.count)
    for (node, targets) in dependencies.enumerated() {
      let group = groupOfNode[node]
      for target in targets where groupOfNode[target] != group {
        dependents[groupOfNode[target]].append(group)
        openEdges[group] += 1
      }
    }
    groupOfInstance = nodes.map { groupOfNode[$0] }
    instances = [[Int]](repeating: [], count: groups.count)
    for (instance, group) in groupOfInstance.enumerated() { instances[group].append(instance) }
    unplaced = instances.map(\.count)
  }

  /// The indices of the instances in the order of their disposal.
  ///
  /// - Complexity: O(*n* log *n* + *d*) in the numbers of nodes and dependencies.
  static func order(ofNodes nodes: [Int], dependencies: [[Int]]) -> [Int] {
    var order = DisposalOrder(ofNodes: nodes, dependencies: dependencies)
    return order.placeAll()
  }

  /// Places are given from the last to the first, each to the instance completed first of those
  /// with all dependencies placed: an instance comes as early as its dependents, and theirs, allow.
  private mutating func placeAll() -> [Int] {
    var placed: [Int] = []
    placed.reserveCapacity(groupOfInstance.count)
    var ready = Heap<ReadyInstance>()
    var groups = openEdges.indices.filter { openEdges[$0] == 0 }
    while true {
      while let group = groups.popLast() {
        if unplaced[group] == 0 { groups += groupsReady(after: group) }
        for instance in instances[group] { ready.insert(ReadyInstance(index: instance)) }
      }
      guard let instance = ready.popFirst()?.index else { return placed.reversed() }
      placed.append(instance)
      let group = groupOfInstance[instance]
      unplaced[group] -= 1
      if unplaced[group] == 0 { groups = groupsReady(after: group) }
    }
  }

  private mutating func groupsReady(after group: Int) -> [Int] {
    dependents[group].filter { dependent in
      openEdges[dependent] -= 1
      return openEdges[dependent] == 0
    }
  }
}

/// An instance in a heap, which takes out the instance completed first: the last in reverse order.
private struct ReadyInstance: HeapElement {
  let index: Int

  func isBefore(_ other: ReadyInstance) -> Bool { index > other.index }

  func isPlaced(at index: Int) {}
}
