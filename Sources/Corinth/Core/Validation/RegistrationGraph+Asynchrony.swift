// SPDX-License-Identifier: MIT

/// Asynchronous registrations behind synchronous ones.
extension RegistrationGraph {
  /// One finding for each pair. A singleton that is there, or will be when it is needed, is no problem.
  var asynchronousFindings: [ValidationFinding] {
    let warmUp = warmUpOrder
    var seen: Set<[UInt64]> = []
    return nodes.indices.filter { nodes[$0].record.isBuiltSynchronously }.flatMap { asker in
      asynchronousDependencies(of: asker).compactMap { path -> ValidationFinding? in
        let (record, target) = (nodes[asker].record, nodes[path[path.count - 1]].record)
        guard !isBuiltBefore(target, asker, warmUp),
          seen.insert([record.serial, target.serial]).inserted
        else { return nil }
        return finding(path.map { nodes[$0].record })
      }
    }
  }

  private func finding(_ path: [RegistrationRecord]) -> ValidationFinding {
    let (asker, target) = (path[0], path[path.count - 1])
    var hints = [
      "register \(asker.key) with registerAsync too, and have its factory `try await resolver.resolveAsync(...)`."
    ]
    if target.policy.isPublishedToSlot, target.key.arguments == nil {
      hints.append(
        "or chain .eager() to \(target.key), and warmUp() before: once a singleton is there, resolve finds it."
      )
    } else if target.sharesInstances {
      hints.append("or build \(target.key) before, for as long as its instance is shared.")
    }
    return ValidationFinding(
      .asynchronous, path: path.map(\.key), places: [asker.place, target.place],
      serial: asker.serial,
      "\(asker.key) is synchronous, and depends on \(target.key), which only resolveAsync can build.",
      placeLines: [asker, target].placeLines(), hints: hints)
  }

  /// The asynchronous registrations that a factory resolves, with the forwards on the way.
  private func asynchronousDependencies(of asker: Int) -> [[Int]] {
    let mayAwait = nodes[asker].record.lifecycle.isAsynchronous
    var found: [[Int]] = []
    var met: Set<Int> = []
    func follow(_ path: [Int], _ targets: [Int]) {
      for target in targets where met.insert(target).inserted {
        let record = nodes[target].record
        if record.isForwarding {
          follow(path + [target], successors(of: target))
        } else if record.isAsynchronous {
          found.append(path + [target])
        }
      }
    }
    follow(
      [asker],
      successors(of: asker) { $0.timing == .factory || $0.timing == .action && !mayAwait })
    return found
  }

  // MARK: - Singletons that are there before

  /// In which order `warmUp()` builds, ancestors first: the rank of each eager registration by its number, and of each
  /// node that of the first one which needs it.
  private struct WarmUpOrder {
    var ranks: [UInt64: Int] = [:]
    var firstUse: [Int: Int] = [:]
  }

  private var warmUpOrder: WarmUpOrder {
    var order = WarmUpOrder()
    let depths = Dictionary(
      container.selfAndAncestors.enumerated().map { (ObjectIdentifier($1), $0) },
      uniquingKeysWith: { first, _ in first })
    let eager = nodes.indices.filter { nodes[$0].record.attributes.isEager }.sorted {
      let (left, right) = (nodes[$0].record, nodes[$1].record)
      let leftDepth = depths[ObjectIdentifier(left.owner)] ?? 0
      let rightDepth = depths[ObjectIdentifier(right.owner)] ?? 0
      return (-leftDepth, left.serial) < (-rightDepth, right.serial)
    }
    for (rank, start) in eager.enumerated() {
      order.ranks[nodes[start].record.serial] = rank
      var pending = [start]
      while let number = pending.popLast() {
        guard order.firstUse[number] == nil else { continue }
        order.firstUse[number] = rank
        pending += successors(of: number) { $0.timing != .later }
      }
    }
    return order
  }

  private func isBuiltBefore(
    _ target: RegistrationRecord, _ asker: Int, _ warmUp: WarmUpOrder
  ) -> Bool {
    guard target.policy.isPublishedToSlot else { return false }
    if target.key.arguments == nil, target.storesInstance { return true }
    guard let rank = warmUp.ranks[target.serial] else { return false }
    return warmUp.firstUse[asker].map { $0 >= rank } ?? true
  }
}

extension RegistrationRecord {
  /// Whether a resolve in the factory blocks a thread. That of asynchronous actions does, too.
  fileprivate final var isBuiltSynchronously: Bool {
    factoryKind == .simple || factoryKind == .withArguments || factoryKind == .constant
  }
}
