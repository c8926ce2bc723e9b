// SPDX-License-Identifier: MIT

import TestSupport

/// What one version of a ``ReloadWorld`` should serve.
struct ReloadModel: Sendable {
  enum Kind: Sendable {
    case singleton, transient, scoped
  }

  enum Form: CaseIterable, Sendable {
    case direct, optional, lazy, provider
    /// Under the type that parts of collections have.
    case part
    /// The collection, which is that of no number.
    case parts
  }

  struct Need: Sendable {
    let target: Int
    let form: Form
  }

  struct Node: Sendable {
    let kind: Kind
    let (isExtra, isAsync, isInParent): (Bool, Bool, Bool)
    /// Whether some number may need it as an optional only.
    let isOptional: Bool
    var isPresent: Bool
    let implementsPart: Bool
    /// Whether its registration says so once more.
    var renewsPart = true
    var generation = 0
    /// The number of the reload that has reached it last.
    var epoch = 0
    var needs: [Need] = []
  }

  var number = 0
  var nodes: [Node] = []
  /// The numbers that collections have, in their order.
  var parts: [Int] = []
  /// How many decorators there are.
  var decorations: Int
  /// From this number on, none is a part, and any may need all parts.
  private let top: Int
  /// How the numbers are that were registered before the first reload.
  private(set) var first: [Node] = []

  func isPresent(_ number: Int) -> Bool { nodes[number].isPresent }

  init(_ random: inout SeededGenerator) {
    func isOne(in count: Int) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }
    decorations = Int.random(in: 0...2, using: &random)
    let count = Int.random(in: 2...14, using: &random)
    let parentCount = isOne(in: 2) ? Int.random(in: 0..<count / 2 + 1, using: &random) : 0
    top = count * 2 / 3 + 1
    let asyncs = isOne(in: 2) ? 4 : 1_000_000
    for number in 0..<count {
      let isOptional = number > 0 && number >= parentCount && isOne(in: 4)
      let isTop = number >= top
      let kind: Kind =
        number == 0
        ? .singleton : isTop && isOne(in: 3) ? .scoped : isOne(in: 4) ? .transient : .singleton
      let isAsync = number > 0 && !isOptional && isOne(in: asyncs)
      nodes.append(
        Node(
          kind: kind, isExtra: kind != .scoped && number >= parentCount && isOne(in: 3),
          isAsync: isAsync,
          isInParent: number < parentCount, isOptional: isOptional,
          isPresent: !isOptional || isOne(in: 2),
          implementsPart: number == 0 || kind != .scoped && !isAsync && !isTop && isOne(in: 3)))
      nodes[number].needs = randomNeeds(of: number, &random)
      if nodes[number].isPresent, nodes[number].implementsPart { parts.append(number) }
    }
    first = nodes
  }

  /// Needs lower numbers only, so that there are no cycles. A collection has parts of the lower two
  /// thirds.
  private func randomNeeds(of number: Int, _ random: inout SeededGenerator) -> [Need] {
    let node = nodes[number]
    var needs: [Need] = []
    for target in 0..<number where Int.random(in: 0..<3, using: &random) == 0 {
      let other = nodes[target]
      if other.kind == .scoped && node.kind != .scoped { continue }
      if node.isInParent && !other.isInParent { continue }
      // As an asynchronous part or optional would need other resolves.
      if other.isAsync && !node.isAsync { continue }
      var form = Form.allCases[Int.random(in: 0..<4, using: &random)]
      if other.isAsync { form = .direct }
      if other.isOptional { form = .optional }
      // In the middle of its unit, a scope may have closed.
      if other.kind == .scoped { form = other.isOptional ? .optional : .direct }
      if form == .direct, other.implementsPart, !other.isOptional, Bool.random(using: &random) {
        form = .part
      }
      needs.append(Need(target: target, form: form))
    }
    if number >= top, !node.isInParent, Int.random(in: 0..<3, using: &random) == 0 {
      needs.append(Need(target: number, form: .parts))
    }
    return needs
  }

  /// The numbers that a change of some reaches.
  private func reached(
    from changed: Set<Int>, changesParts: Bool
  ) -> Set<Int> {
    nodes.indices.reduce(into: changed) { reached, number in
      if nodes[number].isPresent,
        nodes[number].needs.contains(where: { need in
          need.form == .parts
            ? changesParts || parts.contains(where: reached.contains)
            : reached.contains(need.target)
        })
      {
        reached.insert(number)
      }
    }
  }

  /// Makes random changes.
  ///
  /// - Parameter number: that of the reload.
  mutating func change(_ number: Int, _ random: inout SeededGenerator) -> ReloadChange {
    func isOne(in count: Int) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }
    let former = self
    self.number = number
    var changed: Set<Int> = []
    var removed: Set<Int> = []
    for target in nodes.indices where isOne(in: 5) {
      if nodes[target].isOptional, nodes[target].isPresent, isRemovable(target), isOne(in: 2) {
        removed.insert(target)
        nodes[target].isPresent = false
        if let original = originalInBase(target) {
          let epoch = nodes[target].epoch
          nodes[target] = original
          nodes[target].epoch = epoch
        }
        continue
      }
      changed.insert(target)
      nodes[target].renewsPart = !nodes[target].isPresent || isOne(in: 2)
      nodes[target].isPresent = true
      nodes[target].generation = number
      nodes[target].needs = randomNeeds(of: target, &random)
    }
    let partsOfBefore = parts
    parts.removeAll { removed.contains($0) && !nodes[$0].isPresent }
    for target in changed.sorted()
    where nodes[target].implementsPart && !parts.contains(target) {
      parts.append(target)
    }
    var seeds = changed.union(removed)
    if isOne(in: 6) {
      decorations += 1
      seeds.formUnion(nodes.indices.filter { nodes[$0].isPresent && nodes[$0].isExtra })
    }
    let changesParts = partsOfBefore != parts
    for target in reached(from: seeds, changesParts: changesParts) { nodes[target].epoch = number }
    return ReloadChange(
      number: number, former: former, model: self, changed: changed, removed: removed)
  }

  /// Whether a version can leave out a number: those that are registered in the base have to be
  /// overridden before.
  private func isRemovable(_ number: Int) -> Bool {
    !first[number].isPresent || nodes[number].generation > 0
  }

  private func originalInBase(_ number: Int) -> Node? {
    first[number].isPresent ? first[number] : nil
  }
}

/// What one reload does.
struct ReloadChange: Sendable {
  let number: Int
  let (former, model): (ReloadModel, ReloadModel)
  let (changed, removed): (Set<Int>, Set<Int>)
}

/// The models of the versions, by the numbers of their reloads.
final class ReloadModels: Sendable {
  private let state = Locked<(all: [ReloadModel], latest: Int)>(([], 0))

  var latest: ReloadModel { state.withLock { $0.all[$0.latest] } }
  subscript(number: Int) -> ReloadModel { state.withLock { $0.all[number] } }
  var extras: Set<Int> {
    let nodes = latest.nodes
    return Set(nodes.indices.filter { nodes[$0].isExtra })
  }

  func begin(with model: ReloadModel) { state.withLock { $0.all = [model] } }

  /// Adds the model that a reload leads to, if it succeeds.
  func change(_ random: inout SeededGenerator) -> ReloadChange {
    var model = latest
    let number = state.withLock { $0.all.count }
    let change = model.change(number, &random)
    state.withLock { $0.all.append(model) }
    return change
  }

  func succeed(_ number: Int) { state.withLock { $0.latest = number } }
}
