// SPDX-License-Identifier: MIT

/// A path through the wait-for graph. Only made with the graph's mutex held.
struct WaitPath {
  /// The keys from the first construction on the path to the last.
  let keys: [RegistrationKey]
  /// The waits along the path, the last first, with the construction at the start of every wait.
  let waits: [(wait: Wait, construction: Construction)]
  /// The goal at the end of the path.
  let end: Construction

  /// The first path from `start` to any of `goals`, depth first; `nil` for none.
  ///
  /// A loop: thousands of tasks may wait in a chain.
  ///
  /// - Complexity: O(*n* + *m*) in the numbers of constructions under way and of waits.
  static func find(from start: Construction, to goals: [ResolutionContext]) -> WaitPath? {
    if goals.isEmpty { return nil }
    var wanted = VisitedObjects()
    for goal in goals { _ = wanted.visit(goal) }
    var visited = VisitedObjects()
    _ = visited.visit(start)
    var steps = [Step(to: start, through: nil)]
    while let last = steps.last {
      if wanted.contains(last.construction) { return WaitPath(along: steps) }
      guard let next = steps[steps.count - 1].next() else {
        steps.removeLast()
        continue
      }
      if visited.visit(next.construction) { steps.append(next) }
    }
    return nil
  }

  private init(along steps: [Step]) {
    var keys: [RegistrationKey] = []
    var waits: [(wait: Wait, construction: Construction)] = []
    for (step, next) in zip(steps, steps.dropFirst()) {
      keys += next.passed(from: step.construction)
      if let wait = next.wait { waits.append((wait, step.construction)) }
    }
    let end = steps[steps.count - 1].construction
    self.keys = keys + [end.key]
    self.waits = waits.reversed()
    self.end = end
  }

  /// A construction on the path, and where the search for the way on is.
  private struct Step {
    let construction: Construction
    /// The wait that leads here; `nil` if a holder does.
    let wait: Wait?
    private var waits: Dictionary<ObjectIdentifier, Wait>.Values.Iterator
    private var holders: IndexingIterator<[Construction]>

    init(to construction: Construction, through wait: Wait?) {
      self.construction = construction
      self.wait = wait
      waits = construction.links.waits.values.makeIterator()
      holders = construction.links.phase.holders(of: construction).makeIterator()
    }

    /// The next construction awaited by this construction.
    mutating func next() -> Step? {
      while let wait = waits.next() {
        guard let target = wait.target, wait.waiting.contains(where: { $0 === construction })
        else { continue }
        return Step(to: target, through: wait)
      }
      return holders.next().map { Step(to: $0, through: nil) }
    }

    /// The keys of the constructions on the way here, beginning with the key of `source`.
    func passed(from source: Construction) -> [RegistrationKey] {
      guard let wait, let depth = wait.waiting.firstIndex(where: { $0 === source }) else {
        return [source.key]
      }
      return wait.waiting[...depth].reversed().compactMap { $0.asConstruction?.key }
    }
  }
}

extension ConstructionPhase {
  /// The constructions that must progress before one in the phase does, besides those awaited.
  ///
  /// Early references hold up publication, not building.
  func holders(of construction: Construction) -> [Construction] {
    switch self {
    case .postponed(_, let blocker): [blocker]
    case .held: construction.links.lenders
    case .publishing(_, let former): former.map { [$0] } ?? []
    case .building, .initializing, .ended: []
    }
  }
}
