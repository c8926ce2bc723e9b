// SPDX-License-Identifier: MIT

#if DEBUG
  extension ContainerCore {
    /// The registration of a key, if an assembly has made it, and another assembly is about to override it.
    func assembledRegistration(of key: RegistrationKey) -> AssembledRegistration? {
      guard AssemblyRun.current != nil, let extras = extrasIfMade, let slot = table.find(key),
        let serial = slot.registration?.serial
      else { return nil }
      let found = table.withWriterLock { extras.assembled[slot] }
      return found?.serial == serial ? found : nil
    }

    /// Notes a registration that is made by an assembly, and reports that it has overridden one of another assembly.
    func noteAssembled(_ record: RegistrationRecord, overriding former: AssembledRegistration?) {
      // What a version of a reloadable container replaces is replaced with each reload.
      guard let run = AssemblyRun.current, record.attributes.onDuplicate == nil,
        !record.attributes.isInput, duplicates == .override, baseOfLayer == nil,
        let slot = table.find(record.key)
      else { return }
      let location = record.location
      let isReported = table.withWriterLock {
        extras.assembled[slot] = AssembledRegistration(
          run: run, serial: record.serial, location: location)
        return former.map { run.competes(with: $0.run) } ?? false
          && extras.reportedDuplicates.insert(slot).inserted
      }
      if isReported, let former {
        Hints.report(run.hint(at: record.key, former, overriddenAt: location))
      }
    }
  }
#endif
