// SPDX-License-Identifier: MIT

/// What is wrong with an abstract graph, found by relations between its nodes, which are small: no
/// search has a path, and none is shared with the library.
struct ValidationOracle {
  /// A finding, as far as it does not depend on the choice of a path.
  enum Finding: Hashable {
    case missing(needed: Set<Int>)
    case cyclic(Set<Int>)
    case captive(Int, Int)
    case asynchronous(Int, Int)
    case inputOutside(Int)
    case inputNotGiven
    case forwardedTwice(Int)
    case forwardedToNothing(Int)
    case circle(Set<Int>)
    case unused(Int)
  }

  typealias Relation = [[Bool]]

  let graph: AbstractGraph
  private let count: Int
  /// What is resolved while an instance is built, and all that is ever resolved.
  private var needs: Relation
  private var uses: Relation

  init(_ graph: AbstractGraph) {
    self.graph = graph
    count = graph.nodes.count
    let none = Relation(
      repeating: [Bool](repeating: false, count: count), count: count)
    (needs, uses) = (none, none)
    for (number, node) in graph.nodes.enumerated() {
      for (target, form) in node.dependencies where target < count {
        uses[number][target] = true
        if form == .plain || form == .optional { needs[number][target] = true }
      }
      if case .forward(let target, _) = node.kind, target < count {
        uses[number][target] = true
        needs[number][target] = true
      }
    }
  }

  /// The relation that holds over any number of steps, at least one, each but the last one to a
  /// node that may be passed.
  private func closure(_ relation: Relation, passing mayPass: (Int) -> Bool = { _ in true })
    -> Relation
  {
    var closure = relation
    for middle in 0..<count where mayPass(middle) {
      for from in 0..<count where closure[from][middle] {
        for to in 0..<count where closure[middle][to] { closure[from][to] = true }
      }
    }
    return closure
  }

  private func isForward(_ number: Int) -> Bool {
    if case .forward = graph.nodes[number].kind { true } else { false }
  }

  private func isInput(_ number: Int) -> Bool {
    if case .input = graph.nodes[number].kind { true } else { false }
  }

  private func isAsynchronous(_ number: Int) -> Bool {
    if case .asynchronous = graph.nodes[number].kind { true } else { false }
  }

  private func isSynchronous(_ number: Int) -> Bool {
    if case .factory = graph.nodes[number].kind { true } else { false }
  }

  /// Whether the instance is stored outside of request scopes.
  private func isLongLived(_ number: Int) -> Bool {
    switch graph.nodes[number].lifetime {
    case .singleton, .weak, .cached: !isForward(number) && !isInput(number)
    case .transient, .graph, .scoped: false
    }
  }

  private func isScoped(_ number: Int) -> Bool {
    graph.nodes[number].lifetime == .scoped && !isForward(number) && !isInput(number)
  }

  var findings: Set<Finding> {
    var found: Set<Finding> = []
    let askers = (0..<count).filter { number in
      graph.nodes[number].dependencies.contains { $0.target >= count && $0.form != .optional }
    }
    if !askers.isEmpty { found.insert(.missing(needed: Set(askers))) }
    addCycles(&found)
    addScopes(&found)
    addAsynchrony(&found)
    addForwards(&found)
    if let roots = graph.roots {
      let reach = closure(uses)
      let starts = roots + (0..<count).filter { graph.nodes[$0].isEager }
      for number in 0..<count where !isForward(number) && !isInput(number) {
        if !starts.contains(where: { $0 == number || reach[$0][number] }) {
          found.insert(.unused(number))
        }
      }
    }
    return found
  }

  private func addCycles(_ found: inout Set<Finding>) {
    let reach = closure(needs)
    for number in 0..<count where reach[number][number] {
      let group = (0..<count).filter { reach[number][$0] && reach[$0][number] }
      found.insert(group.allSatisfy(isForward) ? .circle(Set(group)) : .cyclic(Set(group)))
    }
  }

  private func addScopes(_ found: inout Set<Finding>) {
    // Ways through instances that nothing stores.
    let reach = closure(uses) { !isLongLived($0) && !isScoped($0) }
    for captor in 0..<count where isLongLived(captor) {
      for other in 0..<count where reach[captor][other] {
        if isInput(other) { found.insert(.inputOutside(captor)) }
        if isScoped(other) { found.insert(.captive(captor, other)) }
      }
    }
    if !graph.givesInputs, (0..<count).contains(where: isInput) { found.insert(.inputNotGiven) }
  }

  private func addAsynchrony(_ found: inout Set<Finding>) {
    let reach = closure(needs, passing: isForward)
    var built: Set<Int> = []
    var seen: [Bool: Set<Int>] = [:]
    /// Builds as `warmUp()` does, and notes what is not there when it is needed.
    func build(_ number: Int, inTask: Bool) {
      if isAsynchronous(number), !inTask { return }
      guard seen[inTask, default: []].insert(number).inserted else { return }
      let node = graph.nodes[number]
      if isAsynchronous(number), node.lifetime == .singleton { built.insert(number) }
      if case .forward(let target, _) = node.kind, target < count {
        build(target, inTask: inTask)
      }
      for target in 0..<count where isSynchronous(number) && reach[number][target] {
        if isAsynchronous(target), !built.contains(target) {
          found.insert(.asynchronous(number, target))
        }
      }
      for (target, form) in node.dependencies where target < count {
        if form == .plain || form == .optional {
          build(target, inTask: isAsynchronous(number))
        }
      }
    }
    for number in 0..<count where graph.nodes[number].isEager { build(number, inTask: true) }
    for asker in 0..<count where isSynchronous(asker) {
      for target in 0..<count where reach[asker][target] && isAsynchronous(target) {
        if !built.contains(target) { found.insert(.asynchronous(asker, target)) }
      }
    }
  }

  private func addForwards(_ found: inout Set<Finding>) {
    for number in 0..<count {
      guard case .forward(let target, let before) = graph.nodes[number].kind else { continue }
      if target >= count { found.insert(.forwardedToNothing(number)) }
      if let before, before < count, before != target { found.insert(.forwardedTwice(number)) }
    }
  }
}
