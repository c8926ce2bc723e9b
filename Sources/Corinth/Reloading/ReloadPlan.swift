// SPDX-License-Identifier: MIT

/// What a reload does once the new version is complete.
struct ReloadPlan {
  /// The instances of one container, or one of its versions, that are replaced.
  struct Part: Sendable {
    let core: ContainerCore
    /// That of the version, -1 for the base.
    let number: Int
    var keys: [RegistrationKey] = []
  }

  let layer: ContainerLayer
  /// What was built by the closure that has registered it: some of what that depends on may have been the old version's.
  let keysBuiltEarly: [RegistrationKey]
  /// The singletons that are built before the exchange.
  let keysToBuild: [RegistrationKey]
  /// The newest version first: what is older does not depend on what is newer.
  let replaced: [Part]

  /// The instances that a reload replaces, and those of the base and of older versions that were built from them
  /// outside of units of work: nothing of the new version shares these, but they must not outlive their dependencies.
  ///
  /// Only versions from the oldest one with an instance that ends now are searched: no version depends on a newer one, and
  /// dependents of what ends with an earlier reload are parts of that reload.
  ///
  /// - Parameters:
  ///   - reach: what is replaced in the old version.
  ///   - new: the new version. Older ones that it shares nothing of are closed.
  ///   - layers: those that have not been closed, the oldest first.
  static func parts(
    replacedBy reach: ReloadReach, in old: ContainerLayer, before new: ContainerLayer,
    base: ContainerCore, _ layers: [ContainerLayer]
  ) -> [Part] {
    var parts: [ObjectIdentifier: Part] = [:]
    var ending: Set<InstancePlace> = []
    for record in reach.dependenciesFirst where record.isStoredWithItself {
      let layer = old.home(of: record)
      // What a parent of the base has is not the base's to end.
      guard layer != nil || record.isOwned(by: base) else { continue }
      ending.insert(record.instancePlace)
      let owner = layer?.core ?? base
      parts[
        ObjectIdentifier(owner), default: Part(core: owner, number: layer?.number ?? -1)
      ].keys.append(record.key)
    }
    let current = old.homes.union([ObjectIdentifier(old)]).subtracting(new.homes)
    let closing = layers.filter { current.contains(ObjectIdentifier($0)) }
    for layer in closing {
      ending.formUnion(layer.core.registrations(where: \.isStoredWithItself).map(\.instancePlace))
    }
    let oldest = (parts.values.map(\.number) + closing.map(\.number)).min() ?? new.number
    // From the oldest on: what is newer may have been built from what is older.
    let older =
      [Part(core: base, number: -1)] + layers.map { Part(core: $0.core, number: $0.number) }
    for var part in older where part.number >= oldest {
      func isHidden(_ record: RegistrationRecord) -> Bool {
        record.isOwned(by: part.core) && record.storesInstance && !old.serves(record)
      }
      if part.core.registrations(where: isHidden).isEmpty { continue }
      let replaced = parts[ObjectIdentifier(part.core)]?.keys ?? []
      let records = part.core.registrations(dependingOn: ending, unknown: isHidden).filter {
        isHidden($0) || replaced.contains($0.key) && $0.isOwned(by: part.core)
      }
      ending.formUnion(records.map(\.instancePlace))
      part.keys = records.map(\.key)
      if !records.isEmpty { parts[ObjectIdentifier(part.core)] = part }
    }
    return parts.values.sorted { $0.number > $1.number }
  }
}

extension ContainerLayer {
  /// The version that the instances of one of its registrations are of; `nil` for those of the base, or of a parent of that.
  func home(of record: RegistrationRecord) -> ContainerLayer? {
    if let sharing = core.explicitRegistration(of: record.key) as? SharingRecord {
      return sharing.home
    }
    return record.isOwned(by: core) ? self : nil
  }
}

extension ContainerLayer {
  /// Whether a resolve of its key gets the instance of this registration.
  fileprivate func serves(_ record: RegistrationRecord) -> Bool {
    guard let found = core.explicitRegistration(of: record.key) else { return false }
    let original = (found as? SharingRecord)?.served ?? found
    return original.instancePlace == record.instancePlace
  }
}

extension RegistrationRecord {
  fileprivate var isStoredWithItself: Bool { policy.storage == .registration }
}
