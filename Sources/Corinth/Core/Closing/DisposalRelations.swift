// SPDX-License-Identifier: MIT

/// The pairs of instances of a closing that keep their order.
///
/// Two instances keep their order if a known or noted path leads from one to the other, in either
/// direction, through instances without disposers too; and if either of the two, or a dependency of
/// either, may have dependencies unknown to the library.
struct DisposalRelations {
  /// For each instance, in the order of disposal, the group of nodes that all depend on each other.
  fileprivate private(set) var groups: [Int]
  /// For each group, the groups that its members depend on, all of which come earlier.
  fileprivate private(set) var successors: [[Int]] = []
  /// For each group, whether there are several nodes, or a node that depends on itself.
  fileprivate private(set) var areCyclic: [Bool] = []
  /// Whether an instance keeps its order to all others.
  fileprivate private(set) var areBarriers: [Bool] = []

  /// - Parameters:
  ///   - nodes: the node of each instance, in the order of their disposal.
  ///   - dependencies: the nodes that each node depends on.
  ///   - knowledge: what is known of the dependencies of each node.
  init(ofNodes nodes: [Int], dependencies: [[Int]], _ knowledge: [DependencyKnowledge]) {
    let members = stronglyConnectedGroups(count: dependencies.count) { dependencies[$0] }
    var groupOfNode = [Int](repeating: 0, count: dependencies.count)
    for (group, members) in members.enumerated() {
      for node in members { groupOfNode[node] = group }
    }
    groups = nodes.map { groupOfNode[$0] }
    for (group, members) in members.enumerated() {
      let targets = members.flatMap { dependencies[$0] }.map { groupOfNode[$0] }
      successors.append(Set(targets).subtracting([group]).sorted())
      areCyclic.append(members.count > 1 || targets.contains(group))
    }
    areBarriers = barriers(ofNodes: nodes, members, knowledge)
  }

  private func barriers(
    ofNodes nodes: [Int], _ members: [[Int]], _ knowledge: [DependencyKnowledge]
  ) -> [Bool] {
    var places: [Int: Int] = [:]
    for (place, node) in nodes.enumerated() where places[node] == nil { places[node] = place }
    /// Whether a group may depend on anything.
    var areUnknown: [Bool] = []
    /// For each group, the place of the first dependency whose construction was not seen.
    var unseen: [Int] = []
    for (group, members) in members.enumerated() {
      var isUnknown = successors[group].contains { areUnknown[$0] }
      var first = successors[group].map { unseen[$0] }.min() ?? .max
      for node in members {
        switch knowledge[node] {
        case .complete: break
        case .unknown: isUnknown = true
        case .lacksConstruction:
          // A node without a place keeps nothing in order.
          if let place = places[node] { first = min(first, place) } else { isUnknown = true }
        }
      }
      areUnknown.append(isUnknown)
      unseen.append(first)
    }
    // An instance whose construction was not seen keeps its order, and so the order of all earlier
    // instances to all later ones. A dependent that comes later may depend on any in between.
    return nodes.indices.map { place in
      areUnknown[groups[place]] || knowledge[nodes[place]] != .complete
        || unseen[groups[place]] < place
    }
  }
}

/// A range of a closing's instances in the order of disposal, with the pairs that keep their order.
struct DisposalWindow {
  let range: Range<Int>
  private let relations: DisposalRelations
  /// For each group, the groups in the range that it depends on.
  private var reached: [Bits]
  /// For each group with an instance in the range, its bit.
  private var bits: [Int: Int] = [:]

  private typealias Bits = [UInt64]

  /// - Complexity: O(*d* *r*) in the numbers of dependencies and of instances in the range.
  init(_ range: Range<Int>, of relations: DisposalRelations) {
    self.range = range
    self.relations = relations
    for group in relations.groups[range] where bits[group] == nil { bits[group] = bits.count }
    let empty = Bits(repeating: 0, count: (bits.count + 63) / 64)
    reached = []
    for successors in relations.successors {
      var words = empty
      for other in successors {
        for index in words.indices { words[index] |= reached[other][index] }
        if let bit = bits[other] { words[bit / 64] |= 1 << (bit % 64) }
      }
      reached.append(words)
    }
  }

  /// Whether two instances may be disposed of side by side.
  func areIndependent(_ first: Int, _ second: Int) -> Bool {
    if relations.areBarriers[first] || relations.areBarriers[second] { return false }
    let (group, other) = (relations.groups[first], relations.groups[second])
    if group == other { return !relations.areCyclic[group] }
    return !leads(group, to: other) && !leads(other, to: group)
  }

  private func leads(_ group: Int, to other: Int) -> Bool {
    guard let bit = bits[other] else { return false }
    return reached[group][bit / 64] & 1 << (bit % 64) != 0
  }
}
