// SPDX-License-Identifier: MIT

extension ContainerCore {
  /// The open scopes for which the container's end still has to wait, and undisposed instances of
  /// the container and the versions. Text for a person, a line for each. Waits for no thread.
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

  /// The registrations of instances under construction.
  var recordsUnderConstruction: [RegistrationRecord] {
    instancesStillOpen.filter(\.isBuilding).map(\.0)
  }

  /// The registrations of instances under construction, or with disposers.
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
