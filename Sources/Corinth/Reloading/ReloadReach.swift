// SPDX-License-Identifier: MIT

/// What a change of some keys reaches: their registrations, and those that depend on them over any number of steps.
struct ReloadReach {
  /// Those that a resolve finds in the old version, the changed ones included. Of those that it shares, the originals.
  let records: [RegistrationRecord]
  /// The same in an order in which dependencies come before their dependents.
  let dependenciesFirst: [RegistrationRecord]
  /// The registrations that keep the reload from being made: whether they are reached is not known.
  let refusals: [ValidationFinding]

  /// - Parameters:
  ///   - changed: keys that are registered anew, or for the first time, or not any more.
  ///   - decorated: the products whose decorators have changed.
  ///   - core: that of the old version.
  init(
    of changed: Set<RegistrationKey>, decorating decorated: Set<ObjectIdentifier>,
    in core: ContainerCore
  ) {
    let graph = RegistrationGraph(of: core, roots: nil, inputs: nil, recorded: [])
    let formerSerials = changed.compactMap { core.explicitRegistration(of: $0)?.serial }
    let changedSerials = Set(formerSerials)
    let newKeys = changed.filter { core.explicitRegistration(of: $0) == nil }
    let newProducts = Set(newKeys.map { ObjectIdentifier($0.product) })
    let dependents = graph.dependents()
    let seeds = graph.nodes.indices.filter { number in
      let record = graph.nodes[number].record
      return changedSerials.contains(record.serial)
        || decorated.contains(ObjectIdentifier(record.key.product))
        || !newKeys.isEmpty && record.asks(for: newKeys, of: newProducts)
    }
    let reached = graph.reached(from: seeds, dependents)
    refusals = graph.unknownFindings(besides: reached)
    records = graph.distinctRecords(of: reached.sorted()).filter { core.finds($0) }
    dependenciesFirst = graph.dependenciesFirst(reached).filter { core.finds($0) }
  }
}

extension ContainerCore {
  /// The registrations of a container, or of a version, whose instances may have been built from those of others, the
  /// dependencies first.
  ///
  /// - Parameters:
  ///   - others: the others.
  ///   - isPossible: a registration whose dependencies are not known counts if this says so.
  func registrations(
    dependingOn others: Set<InstancePlace>, unknown isPossible: (RegistrationRecord) -> Bool
  ) -> [RegistrationRecord] {
    let graph = RegistrationGraph(of: self, roots: nil, inputs: nil, recorded: [])
    let seeds = graph.nodes.indices.filter { number in
      let node = graph.nodes[number]
      return others.contains(node.record.instancePlace)
        || !node.areDependenciesKnown && isPossible(node.record)
    }
    if seeds.isEmpty { return [] }
    return graph.dependenciesFirst(graph.reached(from: seeds, graph.dependents()))
  }

  /// Whether a resolve of its key finds this registration, or a copy, or one that shares its instance.
  fileprivate func finds(_ record: RegistrationRecord) -> Bool {
    explicitRegistration(of: record.key)?.serial == record.serial
  }
}

/// Where the instances of a registration are. Its copies in other versions have the same number.
struct InstancePlace: Hashable {
  let serial: UInt64
  let container: ObjectIdentifier
}

extension RegistrationRecord {
  var instancePlace: InstancePlace {
    InstancePlace(serial: serial, container: ObjectIdentifier(owner))
  }
}

extension RegistrationGraph {
  /// Some nodes, and those that depend on them over any number of steps.
  fileprivate func reached(from seeds: [Int], _ dependents: [[Int]]) -> Set<Int> {
    var reached = Set(seeds)
    var open = seeds
    while let next = open.popLast() {
      for dependent in dependents[next] where reached.insert(dependent).inserted {
        open.append(dependent)
      }
    }
    return reached
  }

  fileprivate func dependenciesFirst(_ numbers: Set<Int>) -> [RegistrationRecord] {
    let groups = stronglyConnectedGroups(count: nodes.count) { successors(of: $0) }
    return distinctRecords(of: groups.joined().filter { numbers.contains($0) })
  }
}

extension RegistrationRecord {
  /// Whether it asks for one of these keys in any form, as far as that is known. What was missing until now has no edges.
  ///
  /// - Parameter products: the types of the keys.
  fileprivate func asks(
    for keys: Set<RegistrationKey>, of products: Set<ObjectIdentifier>
  ) -> Bool {
    var asked = attributes.parameters?.dependencies.map(\.parameter) ?? []
    asked += attributes.declaredDependencies ?? []
    if let target = forwardedKey { asked.append(target) }
    if asked.contains(where: { $0.asks(for: keys, of: products) }) { return true }
    // Of a collection, the elements were recorded: another one has another name.
    let recorded = owner.searched.lazy.compactMap { $0.extrasIfMade?.recorded.load() }
      .flatMap { [serial] in $0.dependencies(of: serial) }
    return recorded.contains { dependency in
      let key = dependency.key
      return products.contains(ObjectIdentifier(key.product))
        || products.contains(ObjectIdentifier(Dependency(parameter: key.product).key.product))
    }
  }
}

extension RegistrationKey {
  /// Whether a resolve of this key may get what is registered under one of `keys`.
  fileprivate func asks(
    for keys: Set<RegistrationKey>, of products: Set<ObjectIdentifier>
  ) -> Bool {
    var key = self
    while true {
      // An optional may serve the type that it wraps.
      let wrapping = RegistrationKey(
        product: optional(of: key.product), name: key.name, arguments: key.arguments)
      if keys.contains(key) || keys.contains(wrapping) { return true }
      if let wrapped = wrappedType(ofOptional: key.product) {
        key = RegistrationKey(product: wrapped, name: key.name, arguments: key.arguments)
        continue
      }
      guard let derived = key.derived else { return false }
      if derived.dependencyKind == .collection {
        return products.contains(ObjectIdentifier(derived.content))
          || products.contains(
            ObjectIdentifier(Dependency(parameter: derived.content).key.product))
      }
      key = RegistrationKey(product: derived.content, name: derived.contentName(key.name))
    }
  }
}

extension ContainerCore {
  /// The registration of the key itself that a resolve finds.
  func explicitRegistration(of key: RegistrationKey) -> RegistrationRecord? {
    withExtendedLifetime(key) { explicitSlot(of: KeyWords(key))?.registration }
  }
}
