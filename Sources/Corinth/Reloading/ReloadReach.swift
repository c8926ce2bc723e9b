// SPDX-License-Identifier: MIT

/// The registrations reached by a change of some keys: their own, and all dependents over any
/// number of steps.
struct ReloadReach {
  /// The reached registrations found by a resolve in the old version, the changed registrations
  /// included. For shared registrations, the originals.
  let records: [RegistrationRecord]
  /// The reached registrations in an order of dependencies before dependents.
  let dependenciesFirst: [RegistrationRecord]
  /// The registrations that prevent the reload: nobody knows whether they are reached.
  let refusals: [ValidationFinding]

  /// - Parameters:
  ///   - changed: the keys registered anew, or for the first time, or removed.
  ///   - decorated: the products with changed decorators.
  ///   - core: the core of the old version.
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
  /// The registrations of a container, or of a version, whose instances may have been built from
  /// instances at other places, the dependencies first.
  ///
  /// - Parameters:
  ///   - others: the places of the possible dependencies.
  ///   - isPossible: decides whether a registration with unknown dependencies counts.
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

  /// Whether a resolve of the registration's key finds the registration, a copy, or a sharing
  /// record of its instance.
  fileprivate func finds(_ record: RegistrationRecord) -> Bool {
    explicitRegistration(of: record.key)?.serial == record.serial
  }
}

/// The place of a registration's instances. Copies of the registration in other versions have the
/// same number.
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
  /// The seeds, and all dependent nodes over any number of steps.
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
  /// Whether the registration asks for one of the keys in any form, as far as known. A dependency
  /// missing until now has no edges.
  ///
  /// - Parameter products: the types of the keys.
  fileprivate func asks(
    for keys: Set<RegistrationKey>, of products: Set<ObjectIdentifier>
  ) -> Bool {
    var asked = attributes.parameters?.dependencies.map(\.parameter) ?? []
    asked += attributes.declaredDependencies ?? []
    if let target = forwardedKey { asked.append(target) }
    if asked.contains(where: { $0.asks(for: keys, of: products) }) { return true }
    // Recordings note the elements of a collection: a new element has a new name.
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
  /// Whether a resolve of the key may get a registration under one of `keys`.
  fileprivate func asks(
    for keys: Set<RegistrationKey>, of products: Set<ObjectIdentifier>
  ) -> Bool {
    var key = self
    while true {
      // An optional may serve its wrapped type.
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
  /// The registration of the key itself, as found by a resolve.
  func explicitRegistration(of key: RegistrationKey) -> RegistrationRecord? {
    withExtendedLifetime(key) { explicitSlot(of: KeyWords(key))?.registration }
  }
}
