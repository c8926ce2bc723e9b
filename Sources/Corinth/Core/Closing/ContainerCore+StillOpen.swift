// SPDX-License-Identifier: MIT

extension ContainerCore {
  /// The open scopes that the end of this container has still to wait for, and its own instances, and those of its versions,
  /// to dispose of. Text for a person, a line for each. No thread is waited for.
  var stillOpen: [String] {
    let tracked = ownOpenScopes
    let others = max(0, openScopeCount - tracked.count)
    return tracked.map { "a request scope, made at \($0.scope.location)" }
      + (others == 0 ? [] : [quantity(others, "request scope")])
      + (instancesStillOpen + versionCores.flatMap(\.instancesStillOpen)).map {
        record, isBuilding in
        "\(record.key), \(isBuilding ? "under construction" : "not disposed of"), registered at \(record.location)"
      }
  }

  private var versionCores: [ContainerCore] { versionsIfMade?.cores ?? [] }

  /// The registrations of instances that are being built.
  var recordsUnderConstruction: [RegistrationRecord] {
    instancesStillOpen.filter(\.isBuilding).map(\.0)
  }

  /// The registrations of instances that are being built, or have disposers.
  var instancesStillOpen: [(RegistrationRecord, isBuilding: Bool)] {
    var found: [(RegistrationRecord, isBuilding: Bool)] = []
    func look(at record: RegistrationRecord, _ states: [InstanceState]) {
      for state in states {
        switch state.current {
        case .building: found.append((record, true))
        case .built where record.hasDisposers: found.append((record, false))
        case .built, .empty, .sealed: break
        }
      }
    }
    instances.forEachEntry { look(at: $0.record, [$0]) }
    forEachRegistration { record in
      for form in record.forms { look(at: form, form.instances) }
    }
    return found
  }
}
