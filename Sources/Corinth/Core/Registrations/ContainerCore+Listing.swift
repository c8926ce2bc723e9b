// SPDX-License-Identifier: MIT

/// Registrations listed, removed or released as a group.
extension ContainerCore {
  /// The registration at the end of a chain of forwards; `nil` for a missing target or a circle.
  func registration(behind key: RegistrationKey) -> RegistrationRecord? {
    var found = registeredSlot(of: key)?.registration
    for _ in 0..<64 {
      guard let target = found?.forwardedKey else { return found }
      found = registeredSlot(of: target)?.registration
    }
    return nil
  }

  /// Removes the registrations with the given serial numbers in a single step of the writer.
  ///
  /// - Returns: the number removed; the rest have been overridden or removed meanwhile.
  func removeRegistrations(_ serials: Set<UInt64>) -> Int {
    if serials.isEmpty { return 0 }
    adoptAll()
    let removed = retireFromEachSlot { slot in
      slot.isRegistration(in: serials) ? removeAssumingWriterLockHeld(slot) : nil
    }
    drop(removed, .removed)
    return removed.count
  }

  /// Releases instances of the registrations with the serial numbers, or of all, in a single step.
  ///
  /// - Returns: the number of registrations that had some.
  func releaseInstances(_ serials: Set<UInt64>?) -> Int {
    guard hasSlots, serials?.isEmpty != true else { return 0 }
    var custom = 0
    table.forEachSlot { slot in
      let isMeant = slot.withRegistration { serials?.contains($0.serial) ?? true } ?? false
      if isMeant, slot.releaseCustomStorage() { custom += 1 }
    }
    let released = retireFromEachSlot { slot in
      serials.map(slot.isRegistration) ?? true ? slot.releaseInstanceAssumingWriterLockHeld() : nil
    }
    drop(released, .released)
    return released.filter { $0.lifecycle.customStorage == nil }.count + custom
  }

  /// The errors of all registrations at fault in the container, by position. Lock-free.
  var faults: [ResolutionError] {
    registrations { $0.attributes.fault != nil }.compactMap(\.faultError)
  }

  func refuseFaults() throws {
    let faults = faults
    if !faults.isEmpty { throw RegistrationError.invalidRegistrations(faults) }
  }
}

extension SlotReference {
  /// The writer lock is held.
  fileprivate func isRegistration(in serials: Set<UInt64>) -> Bool {
    withRegistrationAssumingWriterLockHeld { serials.contains($0.serial) } ?? false
  }
}

/// Containers as described to users, to whom a version and the version's base are one.
extension ContainerCore {
  /// The distance of this container and of every ancestor, nearest first: 0 for the container, 1
  /// for the parent, and so on. A version has the distance of the base.
  var describedLevels: [Int] {
    var next = 0
    return selfAndAncestors.map { core in
      defer { if core.baseOfLayer == nil { next += 1 } }
      return next
    }
  }

  /// The registrations of the container and, if asked for, of the ancestors, by position. A version
  /// and the base are listed as one: a hiding registration takes the hidden one's place.
  func describedRegistrations(
    includingParents: Bool
  ) -> [(record: RegistrationRecord, level: Int)] {
    // A closed version resolves nothing of the base either.
    if !includingParents, baseOfLayer == nil || isClosed {
      return registrations { !$0.isAbsence }.map { ($0, 0) }
    }
    var described: [(position: UInt64, record: RegistrationRecord, level: Int)] = []
    var places: [RegistrationKey: Int] = [:]
    let containers = zip(selfAndAncestors, describedLevels)
    for ((core, level), records) in zip(containers, currentRegistrationsByLevel)
    where includingParents || level == 0 {
      let start = described.count
      for record in records {
        if let place = places[record.key] {
          described[place].position = record.position
        } else {
          described.append((record.position, record, level))
        }
      }
      // A version hides only registrations of the version's own base.
      places = [:]
      if core.baseOfLayer == nil { continue }
      for place in start..<described.count { places[described[place].record.key] = place }
    }
    return described.filter { !$0.record.isAbsence }
      .sorted { $0.position < $1.position }.map { ($0.record, $0.level) }
  }
}
