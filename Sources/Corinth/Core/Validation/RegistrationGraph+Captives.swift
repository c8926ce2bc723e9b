// SPDX-License-Identifier: MIT

/// What belongs to a request scope, and is needed by what outlives that.
extension RegistrationGraph {
  /// One finding for each instance that a longer-lived one would keep.
  var captiveFindings: [ValidationFinding] {
    guard nodes.contains(where: \.isOfScopes) else { return [] }
    let leadsToCaptives = leadsToCaptives
    var seen: Set<[UInt64]> = []
    return nodes.indices.filter {
      nodes[$0].isOutsideOfScopes && leadsToCaptives[$0]
    }.flatMap { captor in
      captives(of: captor, among: leadsToCaptives).filter { captive in
        seen.insert([nodes[captor].record.serial, captive.record.serial]).inserted
      }.map { finding($0, of: nodes[captor].record) }
    }
  }

  private struct Captive {
    let path: [RegistrationKey]
    let record: RegistrationRecord
  }

  private func finding(_ captive: Captive, of captor: RegistrationRecord) -> ValidationFinding {
    let places = [captor, captive.record]
    let key = captive.record.key
    return captive.record.isInput
      ? ValidationFinding(
        .missingInput, path: captive.path, places: places.map(\.place), serial: captor.serial,
        "\(captor.key) needs \(key) outside of every request scope.",
        placeLines: places.placeLines(),
        hints: ["register \(captor.key) as .scoped, or pass \(key) to its functions."])
      : ValidationFinding(
        .captive, path: captive.path, places: places.map(\.place), serial: captor.serial,
        "\(captor.key) would keep \(key) beyond its request scope.",
        placeLines: places.placeLines(),
        hints: [
          "register \(captor.key) as .scoped too, or resolve \(key) from the scope when it is needed."
        ])
  }

  /// For each node, whether it is of a scope, or leads to such a one through instances that nothing stores.
  ///
  /// Looked for from there, once for all captors: many captors may share long ways.
  private var leadsToCaptives: [Bool] {
    var askers = [[Int]](repeating: [], count: nodes.count)
    for asker in nodes.indices {
      for target in successors(of: asker, where: { $0.timing != .elsewhere }) {
        askers[target].append(asker)
      }
    }
    var leads = nodes.map(\.isOfScopes)
    var pending = nodes.indices.filter { leads[$0] }
    while let target = pending.popLast() {
      for asker in askers[target] where !leads[asker] {
        leads[asker] = true
        if nodes[asker].record.policy.storage != .registration { pending.append(asker) }
      }
    }
    return leads
  }

  /// What is met on ways through instances that nothing stores.
  private func captives(of captor: Int, among leadsToCaptives: [Bool]) -> [Captive] {
    var found: [Captive] = []
    var origins: [Int: Int] = [:]
    var pending = [captor][...]
    func path(to number: Int) -> [RegistrationKey] {
      let back = sequence(first: number) { $0 == captor ? nil : origins[$0] }
      return back.map { nodes[$0].record.key }.reversed()
    }
    while let number = pending.popFirst() {
      let targets = successors(of: number) { $0.timing != .elsewhere }
      for target in targets
      where leadsToCaptives[target] && target != captor && origins[target] == nil {
        origins[target] = number
        let record = nodes[target].record
        if nodes[target].isOfScopes {
          found.append(Captive(path: path(to: target), record: record))
        } else if record.policy.storage != .registration {
          pending.append(target)
        }
      }
    }
    return found
  }
}

extension RegistrationGraph.Node {
  fileprivate var isOfScopes: Bool {
    record.isInput || record.policy.storage == .requestScope
  }

  /// Whether the instance is stored where no request scope is around.
  fileprivate var isOutsideOfScopes: Bool {
    record.policy.storage == .registration && !record.isInput && container.scope == nil
  }
}
