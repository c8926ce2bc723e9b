// SPDX-License-Identifier: MIT

/// Asynchronous registrations behind synchronous registrations.
extension RegistrationGraph {
  /// A finding per pair. A singleton that is there before the synchronous dependent is no problem.
  var asynchronousFindings: [ValidationFinding] {
    guard nodes.contains(where: \.record.isAsynchronous) else { return [] }
    let warmUp = warmUpOrder
    var seen: Set<[UInt64]> = []
    return nodes.indices.flatMap { asker in
      asynchronousDependencies(of: asker).compactMap { path -> ValidationFinding? in
        let (part, path) = path
        let (record, target) = (nodes[asker].record, nodes[path[path.count - 1]].record)
        guard !isBuiltBefore(target, asker, warmUp), !isAwaited(target, by: asker),
          seen.insert([record.serial, target.serial]).inserted
        else { return nil }
        return finding(part, path.map { nodes[$0].record })
      }
    }
  }

  /// A synchronous part of a registration, which cannot wait.
  private enum Part: CaseIterable {
    case factory
    /// The factory or an action: a declaration does not say which.
    case factoryOrAction
    case decorator, action

    /// - Returns: `nil` if the part can wait.
    init?(of edge: Edge, by record: RegistrationRecord) {
      switch edge.timing {
      case .factory where edge.mayBeOfAction && record.lifecycle.isAsynchronous: return nil
      case .factory where edge.isOfDecorator: self = .decorator
      case .factory where !record.hasAsynchronousFactory && !edge.isForward:
        self = edge.mayBeOfAction ? .factoryOrAction : .factory
      case .action where !record.lifecycle.isAsynchronous: self = .action
      case .factory, .action, .later, .elsewhere: return nil
      }
    }
  }

  private func finding(_ part: Part, _ path: [RegistrationRecord]) -> ValidationFinding {
    let (asker, target) = (path[0], path[path.count - 1])
    let summary =
      switch part {
      case .factory, .factoryOrAction: "\(asker.key) is synchronous, and depends on \(target.key)"
      case .decorator: "A decorator of \(asker.key) is synchronous, and resolves \(target.key)"
      case .action:
        "An afterInit action of \(asker.key) is synchronous, and resolves \(target.key)"
      }
    var hints =
      switch part {
      case .factory: [ResolutionError.hint(atAwaitingIn: asker.key, asker.askerKind)]
      case .factoryOrAction:
        [
          "have the afterInit action `try await resolver.resolveAsync(...)`, or register \(asker.key) with registerAsync "
            + "too if its factory needs \(target.key)."
        ]
      case .decorator: [String]()
      case .action: ["have the action `try await resolver.resolveAsync(...)`."]
      }
    if let hint = HintAtBuildingBefore(target).text {
      hints.append((hints.isEmpty ? "" : "or ") + hint)
    }
    return ValidationFinding(
      .asynchronous, of: [asker, target], path: path.map(\.key),
      "\(summary), which only resolveAsync can build.", hints: hints)
  }

  /// The asynchronous registrations that a synchronous factory, action or decorator resolves, with
  /// the forwards on the way. If several parts resolve a registration, the first part counts.
  private func asynchronousDependencies(of asker: Int) -> [(part: Part, path: [Int])] {
    let record = nodes[asker].record
    var found: [(part: Part, path: [Int])] = []
    var met: Set<Int> = []
    func follow(_ part: Part, _ path: [Int], _ targets: [Int]) {
      for target in targets where met.insert(target).inserted {
        let record = nodes[target].record
        if record.isForwarding {
          // Decorators of the forward that cannot wait are a separate finding.
          let served = successors(of: target) { $0.timing == .factory && !$0.isOfDecorator }
          follow(part, path + [target], served)
        } else if record.isAsynchronous {
          found.append((part, path + [target]))
        }
      }
    }
    for part in Part.allCases {
      follow(part, [asker], successors(of: asker) { Part(of: $0, by: record) == part })
    }
    return found
  }

  /// Whether the asynchronous factory has awaited a shared instance before decorators or actions.
  private func isAwaited(_ target: RegistrationRecord, by asker: Int) -> Bool {
    guard nodes[asker].record.hasAsynchronousFactory, target.sharesInstances else { return false }
    let ways = ways(
      from: asker, to: { nodes[$0].record === target }, atMost: 1,
      following: { number in
        successors(of: number) { $0.timing == .factory && !(number == asker && $0.isOfDecorator) }
      })
    return !ways.isEmpty
  }

  // MARK: - Singletons that are there before

  /// The order in which `warmUp()` begins to build: for asynchronous singletons, by serial number,
  /// and for nodes, the position of the first use.
  ///
  /// An instance begun earlier is there for every construction that begins later, unless the later
  /// construction is a part of the earlier construction: a cycle, which is a finding of its own.
  private struct WarmUpOrder {
    var singletons: [UInt64: Int] = [:]
    var nodes: [Int: Int] = [:]
  }

  /// A node, built with or without a task that may wait for the node.
  private struct Use: Hashable {
    let node: Int
    let mayAwait: Bool
  }

  private var warmUpOrder: WarmUpOrder {
    var order = WarmUpOrder()
    var seen: Set<Use> = []
    for start in eagerNodes {
      var pending = [Use(node: start, mayAwait: true)]
      while let use = pending.popLast() {
        let record = nodes[use.node].record
        guard seen.insert(use).inserted, !record.isThere, use.mayAwait || !record.isAsynchronous
        else { continue }
        let now = seen.count
        if order.nodes[use.node] == nil { order.nodes[use.node] = now }
        if record.isAsynchronous, record.isSharedUnderItsKey,
          order.singletons[record.serial] == nil
        {
          order.singletons[record.serial] = now
        }
        pending += uses(by: use).reversed()
      }
    }
    return order
  }

  /// The nodes with which `warmUp()` starts, ancestors first.
  private var eagerNodes: [Int] {
    let depths = Dictionary(
      container.selfAndAncestors.enumerated().map { (ObjectIdentifier($1), $0) },
      uniquingKeysWith: { first, _ in first })
    return nodes.indices.filter { nodes[$0].record.attributes.isEager }.sorted {
      let (left, right) = (nodes[$0].record, nodes[$1].record)
      let leftDepth = depths[ObjectIdentifier(left.owner)] ?? 0
      let rightDepth = depths[ObjectIdentifier(right.owner)] ?? 0
      return (-leftDepth, left.position) < (-rightDepth, right.position)
    }
  }

  /// The dependencies resolved by a construction, in order.
  private func uses(by use: Use) -> [Use] {
    let record = nodes[use.node].record
    let inFactory = record.isForwarding ? use.mayAwait : record.hasAsynchronousFactory
    let inActions = record.lifecycle.isAsynchronous
    return successors(of: use.node) { $0.timing == .factory && !$0.isOfDecorator }
      .map { Use(node: $0, mayAwait: inFactory) }
      + successors(of: use.node) { $0.timing == .factory && $0.isOfDecorator }
      .map { Use(node: $0, mayAwait: false) }
      + successors(of: use.node) { $0.timing == .action }
      .map { Use(node: $0, mayAwait: inActions) }
  }

  private func isBuiltBefore(
    _ target: RegistrationRecord, _ asker: Int, _ warmUp: WarmUpOrder
  ) -> Bool {
    if target.isThere { return true }
    guard let begin = warmUp.singletons[target.serial] else { return false }
    return warmUp.nodes[asker].map { $0 >= begin } ?? true
  }
}
