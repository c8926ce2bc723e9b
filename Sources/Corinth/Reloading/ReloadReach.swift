// SPDX-License-Identifier: MIT

/// What a change of some keys reaches: their registrations, and those that depend on them over any number of steps.
struct ReloadReach {
  /// Those that a resolve finds in the old version, the changed ones included.
  let records: [RegistrationRecord]

  /// - Parameters:
  ///   - changed: keys that are registered anew, or for the first time, or not any more.
  ///   - decorated: the products whose decorators have changed.
  ///   - core: that of the old version.
  /// - Throws: ``RegistrationError/reloadRefused(key:dependent:location:)``.
  init(
    of changed: Set<RegistrationKey>, decorating decorated: Set<ObjectIdentifier>,
    in core: ContainerCore
  ) throws {
    let graph = RegistrationGraph(of: core, roots: nil, inputs: nil, recorded: [])
    let formerSerials = changed.compactMap { core.explicitRegistration(of: $0)?.serial }
    let changedSerials = Set(formerSerials)
    let newProducts = Set(
      changed.lazy.filter { core.explicitRegistration(of: $0) == nil }
        .map { ObjectIdentifier($0.product) })
    let dependents = graph.dependents
    let seeds = graph.nodes.indices.filter { number in
      let record = graph.nodes[number].record
      return changedSerials.contains(record.serial)
        || decorated.contains(ObjectIdentifier(record.key.product))
        || !newProducts.isEmpty && record.asks(for: newProducts)
    }
    var reached = Set(seeds)
    var open = seeds
    while let next = open.popLast() {
      for dependent in dependents[next] where reached.insert(dependent).inserted {
        open.append(dependent)
      }
    }
    try graph.refuseUnknown(besides: reached, dependents)
    records = graph.distinctRecords(of: reached.sorted()).filter {
      core.explicitRegistration(of: $0.key)?.serial == $0.serial
    }
  }
}

extension RegistrationGraph {
  /// For each node, those that need it.
  fileprivate var dependents: [[Int]] {
    var dependents = [[Int]](repeating: [], count: nodes.count)
    for number in nodes.indices {
      for target in successors(of: number) { dependents[target].append(number) }
    }
    return dependents
  }

  /// Throws if an instance that is not reached may depend on anything, itself or by what it depends on.
  fileprivate func refuseUnknown(besides reached: Set<Int>, _ dependents: [[Int]]) throws {
    for start in nodes.indices where !reached.contains(start) && !isKnown(start) {
      var (seen, open): (Set<Int>, [Int]) = ([start], [start])
      while let next = open.popLast() {
        if nodes[next].record.served.policy.storage == .registration {
          let record = nodes[start].record
          throw RegistrationError.reloadRefused(
            key: record.key, dependent: nodes[next].record.key, location: record.location)
        }
        for dependent in dependents[next]
        where !reached.contains(dependent) && seen.insert(dependent).inserted {
          open.append(dependent)
        }
      }
    }
  }

  private func isKnown(_ number: Int) -> Bool {
    let node = nodes[number]
    guard let sharing = node.record as? SharingRecord else { return node.areDependenciesKnown }
    // It runs neither the factory nor the actions itself.
    let served = sharing.served
    return served.areDependenciesDeclared(sharing.home.core)
      || node.hasReturned && served.lifecycle.afterInit.isEmpty
  }
}

extension RegistrationRecord {
  /// Whether it asks for one of these types in any form, as far as that is known. What was missing until now has no edges.
  fileprivate func asks(for products: Set<ObjectIdentifier>) -> Bool {
    var asked = attributes.parameters?.dependencies.map(\.key) ?? []
    asked += attributes.declaredDependencies ?? []
    if let target = forwardedKey { asked.append(target) }
    for core in owner.searched {
      let recorded = core.extrasIfMade?.recordedIfMade?.dependencies(of: serial)
      asked += recorded?.map(\.key) ?? []
    }
    return asked.contains { key in
      products.contains(ObjectIdentifier(key.product))
        || products.contains(ObjectIdentifier(Dependency(parameter: key.product).key.product))
    }
  }
}

extension ContainerCore {
  /// The registration of the key itself that a resolve finds.
  fileprivate func explicitRegistration(of key: RegistrationKey) -> RegistrationRecord? {
    withExtendedLifetime(key) { explicitSlot(of: KeyWords(key))?.registration }
  }
}
