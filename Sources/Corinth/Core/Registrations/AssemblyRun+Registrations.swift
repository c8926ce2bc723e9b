// SPDX-License-Identifier: MIT

extension AssemblyRun {
  /// Runs `body`, in which an assembly registers in a container. The registrations made there
  /// meanwhile are the run's own.
  static func during(
    _ assembly: any Any.Type, id: String?, replacing replacedTypes: [ObjectIdentifier],
    in core: ContainerCore, _ body: () throws -> Void
  ) rethrows {
    let known = core.extras.assemblyRuns.load()?.value ?? []
    let run = AssemblyRun(
      of: assembly, id: id, replacing: replacedTypes, besides: known,
      after: RegistrationAttributes.lastSerial)
    let outdated = outdated(known, in: core)
    core.extras.assemblyRuns.update { runs in
      let kept = (runs?.value ?? []).filter { known in !outdated.contains { $0 === known } }
      return Shared(kept + [run])
    }
    defer { run.finish(at: RegistrationAttributes.lastSerial) }
    try $current.withValue(run, operation: body)
  }

  /// The run during which a registration was made, the innermost of nested runs; `nil` for none, or
  /// if assemblies registered on several threads at that time.
  static func registering(_ record: RegistrationRecord) -> AssemblyRun? {
    for core in record.owner.searched {
      let known = core.extrasIfMade?.assemblyRuns.load()?.value ?? []
      let runs = known.filter { $0.covers(record.serial) }
      guard let innermost = runs.last else { continue }
      return runs.allSatisfy(innermost.isWithin) ? innermost : nil
    }
    return nil
  }

  /// The runs without a registration left: modules may be applied again and again. Only looked for
  /// when the number of runs has doubled.
  private static func outdated(
    _ runs: [AssemblyRun], in core: ContainerCore
  ) -> [AssemblyRun] {
    guard runs.count >= 16, runs.count.nonzeroBitCount == 1 else { return [] }
    let serials = core.registrations().map(\.serial).sorted()
    return runs.filter { $0.isOver(withoutAny: serials) }
  }
}

#if DEBUG
  extension AssembledRegistration {
    /// The registration of a key by an assembly, when a further assembly is about to override;
    /// `nil` if there is none.
    init?(of key: RegistrationKey, in core: ContainerCore) {
      guard AssemblyRun.current != nil, let record = core.table.find(key)?.registration,
        Self.reportsDuplicates(of: record, in: core), let run = AssemblyRun.registering(record)
      else { return nil }
      self.init(run: run, location: record.location)
    }

    /// Reports once for every key an override of the registration by an assembly's second line.
    /// A line that runs again, in a loop or a helper function, says nothing of two services.
    func noteOverride(by record: RegistrationRecord, in core: ContainerCore) {
      guard let run = AssemblyRun.current, Self.reportsDuplicates(of: record, in: core),
        location != record.location, run.competes(with: self.run),
        let slot = core.table.find(record.key),
        core.table.withWriterLock({ core.extras.reportedDuplicates.insert(slot).inserted })
      else { return }
      Hints.report(run.hint(at: record.key, self, overriddenAt: record.location))
    }

    /// Versions of reloadable containers are replaced by reloads, and forks are made to override.
    private static func reportsDuplicates(
      of record: RegistrationRecord, in core: ContainerCore
    ) -> Bool {
      record.attributes.onDuplicate == nil && !record.attributes.isInput
        && !record.attributes.isAdopted && core.duplicates == .override && core.baseOfLayer == nil
    }
  }
#endif
