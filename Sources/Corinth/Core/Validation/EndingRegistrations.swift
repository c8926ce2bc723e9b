// SPDX-License-Identifier: MIT

/// The registrations of a container that is closing, as its slots held them: these are emptied before its instances
/// are disposed of, and a closed container is not asked for what others depend on.
struct EndingRegistrations: Sendable {
  /// What one container has had.
  private struct Registrations: Sendable {
    let container: ContainerCore
    /// Several of a key if some were overridden: which of them an instance has got is not known.
    let byKey: [RegistrationKey: [RegistrationRecord]]
  }

  let container: ContainerCore
  /// Those of the container, and of the ones around it that end with it.
  private let ending: [Registrations]

  /// - Parameter base: those of the base of a version, which end with it.
  init(of container: ContainerCore, within base: EndingRegistrations? = nil) {
    var records: [RegistrationRecord] = []
    container.forEachRegistration { records.append($0) }
    // Keys are compared by code of the user, and so in no section.
    let byKey = Dictionary(grouping: records + container.overridden, by: \.key)
    ending = [Registrations(container: container, byKey: byKey)] + (base?.ending ?? [])
    self.container = container
  }

  private func byKey(in core: ContainerCore) -> [RegistrationKey: [RegistrationRecord]]? {
    ending.first { $0.container === core }?.byKey
  }

  /// The registrations that a resolve from a container may have found.
  func registrations(
    of key: RegistrationKey, from asked: ContainerCore
  ) -> [RegistrationRecord] {
    for core in asked.selfAndAncestors {
      if let byKey = byKey(in: core) {
        if let found = byKey[key] { return found }
      } else if let slot = withExtendedLifetime(key, { core.table.find(KeyWords(key)) }),
        let found = slot.registration
      {
        return [found]
      }
    }
    return []
  }

  /// The registrations that a collection may have found, those too that others hide.
  func registrations(
    of product: any Any.Type, from asked: ContainerCore
  ) -> [RegistrationRecord] {
    asked.selfAndAncestors.flatMap { core in
      byKey(in: core).map { byKey in
        byKey.filter { $0.key.product == product && $0.key.arguments == nil }.flatMap(\.value)
      } ?? core.slots(of: product).compactMap(\.registration)
    }
  }
}

extension RegistrationGraph {
  /// The dependencies of some registrations, as far as instances that end with the container may be behind them.
  ///
  /// - Parameter start: registrations whose instances end with the container: the first nodes, each once, in their order.
  init(of ending: EndingRegistrations, from start: [RegistrationRecord]) {
    self.init(of: ending.container, ending: ending)
    for record in start { _ = node(of: record, askedIn: container, from: nil) }
    explore()
  }

  /// Whether instances that end with the container may be behind a node: a singleton of another one has none.
  func mayLeadToEnding(_ number: Int) -> Bool {
    guard let ending else { return true }
    let record = nodes[number].record
    return record.policy.storage != .registration || record.isOwned(by: ending.container)
  }

  /// Whether one of the dependencies may have been resolved after its dependent was complete.
  var hasDeferredEdges: Bool {
    nodes.contains { node in
      node.edges.contains { $0.timing == .later || $0.evidence == .declared }
    }
  }
}
