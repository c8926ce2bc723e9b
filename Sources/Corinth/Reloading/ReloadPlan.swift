// SPDX-License-Identifier: MIT

/// The steps of a reload once the new version is complete.
struct ReloadPlan {
  /// The replaced instances of one container, or of one version.
  struct Part: Sendable {
    let core: ContainerCore
    /// The version's number; -1 for the base.
    let number: Int
    var keys: [RegistrationKey] = []
    /// Whether all instances are replaced, and the version is closed.
    var isUnused = false
  }

  let layer: ContainerLayer
  /// The keys whose instances were built by the registering closure: some dependencies may have
  /// been the old version's.
  let keysBuiltEarly: [RegistrationKey]
  /// The singletons to build before the exchange.
  let keysToBuild: [RegistrationKey]
  /// The newest version first: no older version depends on a newer version.
  let replaced: [Part]

  /// The instances replaced by a reload, and instances of the base and of older versions that were
  /// built from these outside of units of work: nothing of the new version shares such instances,
  /// but no instance may outlive its dependencies.
  ///
  /// Only versions from the oldest version with an ending instance on are searched: no version
  /// depends on a newer version, and dependents of the instances that end with an earlier reload
  /// are parts of the earlier reload.
  ///
  /// - Parameters:
  ///   - reach: the registrations replaced in the old version.
  ///   - new: the new version. Older versions without shared instances are closed.
  ///   - layers: the layers not closed so far, the oldest first.
  static func parts(
    replacedBy reach: ReloadReach, in old: ContainerLayer, before new: ContainerLayer,
    base: ContainerCore, _ layers: [ContainerLayer]
  ) -> [Part] {
    var parts: [ObjectIdentifier: Part] = [:]
    var ending: Set<InstancePlace> = []
    for record in reach.dependenciesFirst where record.isStoredWithItself {
      let layer = old.home(of: record)
      // The base may not end the instances of its parents.
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
    // From the oldest on: instances of a newer version may have been built from older instances.
    let older =
      [Part(core: base, number: -1)] + layers.map { Part(core: $0.core, number: $0.number) }
    for var part in older where part.number >= oldest {
      // Stored or not: another instance may be built until the disposal.
      func isHidden(_ record: RegistrationRecord) -> Bool {
        record.isOwned(by: part.core) && record.isStoredWithItself && !old.serves(record)
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
  /// The version of a registration's instances; `nil` for instances of the base, or of a parent of
  /// the base.
  func home(of record: RegistrationRecord) -> ContainerLayer? {
    if let sharing = core.explicitRegistration(of: record.key) as? SharingRecord {
      return sharing.home
    }
    return record.isOwned(by: core) ? self : nil
  }
}

extension ContainerLayer {
  /// Whether a resolve of the registration's key gets the registration's instance.
  fileprivate func serves(_ record: RegistrationRecord) -> Bool {
    guard let found = core.explicitRegistration(of: record.key) else { return false }
    let original = (found as? SharingRecord)?.served ?? found
    return original.instancePlace == record.instancePlace
  }
}

extension RegistrationRecord {
  fileprivate var isStoredWithItself: Bool { policy.storage == .registration }
}
