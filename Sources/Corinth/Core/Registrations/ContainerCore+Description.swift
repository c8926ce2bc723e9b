// SPDX-License-Identifier: MIT

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

extension RegistrationRecord {
  /// The position in the described list: a version's registration has the hidden one's.
  var describedPosition: UInt64 {
    guard let base = owner.baseOfLayer else { return position }
    return base.table.find(key)?.registration?.position ?? position
  }
}
