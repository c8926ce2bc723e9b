// SPDX-License-Identifier: MIT

/// Containers as they are described to users, for whom a version and its base are one.
extension ContainerCore {
  /// How far this container and each of its ancestors are away, nearest first: 0 for this one, 1 for its parent, and so on. A
  /// version and its base are equally far.
  var describedLevels: [Int] {
    var next = 0
    return selfAndAncestors.map { core in
      defer { if core.baseOfLayer == nil { next += 1 } }
      return next
    }
  }

  /// The registrations of this container and, if asked for, of its ancestors, in the order in which they were made. Of a
  /// version and its base, those that the version resolves: one that hides another takes its place.
  func describedRegistrations(
    includingParents: Bool
  ) -> [(record: RegistrationRecord, level: Int)] {
    // What is closed resolves nothing of its base either.
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
      // What the base of a version has is compared with that alone.
      places = [:]
      if core.baseOfLayer == nil { continue }
      for place in start..<described.count { places[described[place].record.key] = place }
    }
    return described.filter { !$0.record.isAbsence }
      .sorted { $0.position < $1.position }.map { ($0.record, $0.level) }
  }
}

extension RegistrationRecord {
  /// Its place among the registrations of its container: of a version and its base, that of the one which it hides.
  var describedPosition: UInt64 {
    guard let base = owner.baseOfLayer else { return position }
    return base.table.find(key)?.registration?.position ?? position
  }
}
