// SPDX-License-Identifier: MIT

/// A snapshot of a closing container's registrations: closing empties the slots before instances
/// are disposed of, and a closed container is not asked for the dependencies of a key.
struct EndingRegistrations: Sendable {
  /// The registrations of one container.
  private struct Registrations: Sendable {
    let container: ContainerCore
    /// Several of a key if some were overridden: an instance may have got any of the registrations.
    let byKey: [RegistrationKey: [RegistrationRecord]]
  }

  let container: ContainerCore
  /// The registrations of the container, and of the outer containers that end with the container.
  private let ending: [Registrations]

  /// - Parameter base: the registrations of a version's base, which end with the version.
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

  /// The registrations that a collection may have found, hidden registrations included.
  func registrations(
    of product: any Any.Type, from asked: ContainerCore
  ) -> [RegistrationRecord] {
    asked.selfAndAncestors.flatMap { core -> [RegistrationRecord] in
      byKey(in: core).map { byKey in
        byKey.filter { $0.key.product == product && $0.key.arguments == nil }.flatMap(\.value)
      } ?? core.slots(of: product).compactMap(\.registration)
    }
  }
}

extension RegistrationGraph {
  /// The dependencies of some registrations, as far as ending instances may lie behind them.
  ///
  /// - Parameters:
  ///   - start: registrations with ending instances: the first nodes, in this order.
  ///   - notes: the notes of the instances, if the disposers run side by side.
  init(
    of ending: EndingRegistrations, from start: [RegistrationRecord], _ notes: EndingNotes? = nil
  ) {
    self.init(of: ending.container, ending: ending, notes)
    for record in start { _ = node(of: record, askedIn: container, from: nil) }
    explore()
  }

  /// Whether ending instances may lie behind a node: not behind a singleton of another container.
  func mayLeadToEnding(_ number: Int) -> Bool {
    guard let ending else { return true }
    let record = nodes[number].record
    return record.policy.storage != .registration || record.isOwned(by: ending.container)
  }

  /// Whether a dependency may have been resolved after the dependent instance was complete.
  var hasDeferredEdges: Bool {
    nodes.contains { node in
      node.edges.contains { $0.timing == .later || $0.evidence == .declared }
    }
  }
}
