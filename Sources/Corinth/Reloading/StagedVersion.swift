// SPDX-License-Identifier: MIT

/// A version under construction: at first equal to the version before.
struct StagedVersion {
  private let container: Container
  private let old: ContainerLayer
  /// The serial numbers of the registrations inherited from the version before.
  private var serials: [RegistrationKey: UInt64] = [:]

  private var core: ContainerCore { container.registry }

  /// - Parameter container: a new layer.
  init(_ container: Container, after old: ContainerLayer) throws {
    self.container = container
    self.old = old
    core.takeOverComposition(of: old.core)
    if let note = old.core.extrasIfMade?.note.load() { core.extras.note.store(note) }
    for record in old.core.registrations() {
      serials[record.key] = record.serial
      _ = try core.publish(inherited(record), .replacement)
    }
  }

  /// A registration that serves an old layer's registration: a copy, if the old registration stores
  /// no instances.
  private func inherited(_ record: RegistrationRecord) -> RegistrationRecord {
    let home = (record as? SharingRecord)?.home ?? old
    if record.served.policy.storage != .registration { return record.copied(to: core) }
    let sharing = SharingRecord(record.served, in: home, for: core)
    sharing.takePosition(of: record)
    return sharing
  }

  /// Registers anew all dependents of the changes made since the initializer.
  ///
  /// - Parameter layers: the layers not closed so far, the oldest first.
  func plan(base: ContainerCore, _ layers: [ContainerLayer]) throws -> ReloadPlan {
    removeNeedlessAbsences()
    try takeOverEqual()
    let changed = changedKeys
    let keysBuiltEarly = core.registrations {
      changed.contains($0.key) && !$0.isConstant && $0.storesInstance
    }.map(\.key)
    try registerWhatWasBehind(changed)
    let reach = ReloadReach(of: changed, decorating: productsDecoratedAnew, in: old.core)
    let refusals = reach.refusals + findings(ofKeptByInstance: reach.records, besides: changed)
    if !refusals.isEmpty { throw RegistrationError.reloadRefused(refusals) }
    var keysToBuild: [RegistrationKey] = []
    var valueHomes: Set<ObjectIdentifier> = []
    for record in reach.records where record.policy.storage == .registration {
      if !changed.contains(record.key) {
        _ = try core.publish(record.copied(to: core), .replacement)
        // The layer of a value decorated anew disposes of the value.
        if record.isConstant, let layer = old.home(of: record) {
          valueHomes.formUnion(layer.selfAndValueHomes)
        }
      }
      if record.storesInstance, record.scope == .singleton { keysToBuild.append(record.key) }
    }
    var homes: Set<ObjectIdentifier> = []
    for record in core.registrations() {
      if let sharing = record as? SharingRecord {
        homes.formUnion(sharing.home.selfAndValueHomes)
      }
    }
    keysToBuild += core.registrations { $0.attributes.isEager }.map(\.key)
    let layer = ContainerLayer(
      core, number: old.number + 1, keeping: container, homes: homes, valueHomes: valueHomes)
    return ReloadPlan(
      layer: layer, keysBuiltEarly: keysBuiltEarly, keysToBuild: keysToBuild.filter(isBuiltAhead),
      replaced: ReloadPlan.parts(
        replacedBy: reach, in: old, before: layer, base: base, layers))
  }

  /// Registers anew the registrations of the base, or of a container around the base, under keys
  /// removed from the version. The instances there belong to the version of their replacement.
  private func registerWhatWasBehind(_ removed: Set<RegistrationKey>) throws {
    for key in removed where core.ownSlot(of: key)?.registration == nil {
      guard let record = core.explicitRegistration(of: key),
        record.policy.storage == .registration
      else { continue }
      _ = try core.publish(record.copied(to: core), .replacement)
    }
  }

  private func findings(
    ofKeptByInstance records: [RegistrationRecord], besides changed: Set<RegistrationKey>
  ) -> [ValidationFinding] {
    records.filter { $0.lifecycle.customStorage != nil && !changed.contains($0.key) }.map {
      ValidationFinding(
        .unknown, of: [$0],
        "\($0.key) depends on what changes, and is stored by a CustomStorage: both versions would have its instance.",
        hints: [
          "register it anew in the reload, with a CustomStorage of its own, or give it scope: .singleton."
        ])
    }
  }

  private func isBuiltAhead(_ key: RegistrationKey) -> Bool {
    guard key.arguments == nil, let record = core.registeredSlot(of: key)?.registration else {
      return false
    }
    return record.scope == .singleton
  }

  /// Gives a registration made here the number of the former registration of its key, if the two
  /// are equal; the new line stays. `==` is the user's code, which may register more.
  private func takeOverEqual() throws {
    let equal = core.registrations { record in
      guard record.serial != serials[record.key],
        let former = old.core.explicitRegistration(of: record.key)
      else { return false }
      return record.takesPlace(of: former) && record.isEqual(to: former.served)
    }
    for record in equal {
      guard let former = old.core.explicitRegistration(of: record.key) else { continue }
      var isCurrent = false
      // The policy does not matter.
      core.modify(record.key, serial: record.serial) { attributes in
        attributes.serial = former.serial
        attributes.markAdopted()
        isCurrent = true
        return true
      }
      // The decorator would make a second decorated instance of the value.
      if isCurrent, record.policy.storage == .registration, core.decorates(record.key.product) {
        if serials[record.key] == nil {
          // The base has the registration.
          _ = core.unregister(record.key, serial: former.serial)
        } else {
          _ = try core.publish(inherited(former), .replacement)
        }
      }
    }
  }

  private var changedKeys: Set<RegistrationKey> {
    var former = serials
    var changed: Set<RegistrationKey> = []
    for record in core.registrations() {
      let serial = former.removeValue(forKey: record.key)
      if record.serial != serial ?? old.core.explicitRegistration(of: record.key)?.serial {
        changed.insert(record.key)
      }
    }
    return changed.union(former.keys)
  }

  /// Removes records of absence that hide nothing.
  private func removeNeedlessAbsences() {
    for record in core.registrations(where: \.isAbsence)
    where core.parent?.explicitRegistration(of: record.key) == nil {
      _ = core.unregister(record.key, serial: record.serial)
    }
  }

  private var productsDecoratedAnew: Set<ObjectIdentifier> {
    let before = old.core.composition?.decorators ?? [:]
    let now = core.composition?.decorators ?? [:]
    return Set(before.keys).union(now.keys).filter { product in
      (before[product] ?? []).map(\.number) != (now[product] ?? []).map(\.number)
    }
  }
}

extension RegistrationRecord {
  /// Whether the registration has the place of `former` in collections. A registration of the base
  /// keeps its place, whatever hides the registration.
  fileprivate func takesPlace(of former: RegistrationRecord) -> Bool {
    owner.parent?.explicitRegistration(of: key) != nil || position == former.position
  }
}

extension ContainerLayer {
  fileprivate var selfAndValueHomes: Set<ObjectIdentifier> {
    valueHomes.union([ObjectIdentifier(self)])
  }
}
