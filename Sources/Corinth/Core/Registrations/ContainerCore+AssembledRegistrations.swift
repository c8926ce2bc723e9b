// SPDX-License-Identifier: MIT

extension ContainerCore {
  /// Runs `body`, in which an assembly registers. Registrations made here meanwhile are its own.
  func assembling(
    _ assembly: any Any.Type, id: String?, replacing replacedTypes: [ObjectIdentifier],
    _ body: () throws -> Void
  ) rethrows {
    let known = extras.assemblyRuns.load()?.value ?? []
    let run = AssemblyRun(
      of: assembly, id: id, replacing: replacedTypes, besides: known,
      after: RegistrationAttributes.lastSerial)
    let outdated = outdated(known)
    extras.assemblyRuns.update { runs in
      let kept = (runs?.value ?? []).filter { known in !outdated.contains { $0 === known } }
      return Shared(kept + [run])
    }
    defer { run.finish(at: RegistrationAttributes.lastSerial) }
    try AssemblyRun.$current.withValue(run, operation: body)
  }

  /// The runs without a registration left: modules may be applied again and again. Only looked for
  /// when the number of runs has doubled.
  private func outdated(_ runs: [AssemblyRun]) -> [AssemblyRun] {
    guard runs.count >= 16, runs.count.nonzeroBitCount == 1 else { return [] }
    let serials = registrations().map(\.serial).sorted()
    return runs.filter { $0.isOver(withoutAny: serials) }
  }
}

extension RegistrationRecord {
  /// The run of an assembly during which the registration was made, the innermost of nested runs;
  /// `nil` for none, or if assemblies registered on several threads at that time.
  var assemblyRun: AssemblyRun? {
    for core in owner.searched {
      let known = core.extrasIfMade?.assemblyRuns.load()?.value ?? []
      let runs = known.filter { $0.covers(serial) }
      guard let innermost = runs.last else { continue }
      return runs.allSatisfy(innermost.isWithin) ? innermost : nil
    }
    return nil
  }
}

#if DEBUG
  extension ContainerCore {
    /// The registration of a key by an assembly, when a further assembly is about to override.
    func assembledRegistration(of key: RegistrationKey) -> AssembledRegistration? {
      guard AssemblyRun.current != nil, let record = table.find(key)?.registration,
        reportsDuplicates(of: record), let run = record.assemblyRun
      else { return nil }
      return AssembledRegistration(run: run, location: record.location)
    }

    /// Reports, once for every key, an override of a registration by a second line of an assembly.
    /// A line that runs again, in a loop or a helper function, says nothing of two services.
    func noteAssembled(_ record: RegistrationRecord, overriding former: AssembledRegistration?) {
      guard let former, let run = AssemblyRun.current, reportsDuplicates(of: record),
        former.location != record.location, run.competes(with: former.run),
        let slot = table.find(record.key),
        table.withWriterLock({ extras.reportedDuplicates.insert(slot).inserted })
      else { return }
      Hints.report(run.hint(at: record.key, former, overriddenAt: record.location))
    }

    /// Versions of reloadable containers are replaced by reloads, and forks are made to override.
    private func reportsDuplicates(of record: RegistrationRecord) -> Bool {
      record.attributes.onDuplicate == nil && !record.attributes.isInput
        && !record.attributes.isAdopted && duplicates == .override && baseOfLayer == nil
    }
  }
#endif
