// SPDX-License-Identifier: MIT

internal import Synchronization

/// The clock of all containers. A registration that becomes current for a key gets the clock's
/// number as a version; a fork reads registrations up to a number, and moves the clock on.
///
/// The clock is read with the writer lock of the container held, and moved on with those of all
/// containers visible to the fork: the locks order the two, and relaxed accesses suffice. Only the
/// first registration after a move writes to the word: registering threads share no written line.
enum VersionClock {
  /// The number, and in the lowest bit whether a registration may have it.
  private static let word = Atomic<UInt64>(2)

  /// The number for a change now: greater than the numbers of all forks made before.
  static var now: UInt64 {
    let found = word.load(ordering: .relaxed)
    if found & 1 == 0 { word.bitwiseOr(1, ordering: .relaxed) }
    return found >> 1
  }

  /// The number for a fork: not less than any change by now, and shared if nothing has changed.
  static func pass() -> UInt64 {
    var found = word.load(ordering: .relaxed)
    while found & 1 != 0 {
      let (isMoved, other) = word.compareExchange(
        expected: found, desired: found + 1, ordering: .relaxed)
      if isMoved { return found >> 1 }
      found = other
    }
    return found >> 1 - 1
  }
}

/// The versions of a container read by live forks, and superseded registrations kept for them.
///
/// Invariants
///  1. The versions ascend. Every version is less than the number of any later change.
///  2. A superseded registration, current from one number until a second, is kept as long as a live
///     version lies between the two, in the list of the greatest such version.
@safe
// SAFETY: touched only with the container's writer lock held, as are the versions and their lists.
final class LiveVersions: @unchecked Sendable {
  private var newest: LiveVersion?
  /// The kept registrations by slot, in ascending order.
  private var kept: [SlotReference: [SupersededRegistration]] = [:]

  var isEmpty: Bool { newest == nil }

  /// Whether registrations of a slot are kept.
  func keeps(_ slot: SlotReference) -> Bool { kept[slot] != nil }

  /// Whether a live version is at `number` or later.
  func needs(_ number: UInt64) -> Bool { newest.map { $0.number >= number } ?? false }

  /// Adds a reader of a version, which is not less than all versions before.
  func begin(_ number: UInt64) -> LiveVersion {
    if let newest, newest.number == number {
      newest.readers += 1
      return newest
    }
    let version = LiveVersion(number)
    version.previous = newest
    newest?.next = version
    newest = version
    return version
  }

  /// Ends a reader added by ``begin(_:)``.
  ///
  /// - Returns: registrations no longer needed, to be released by the caller with no lock held.
  func end(_ version: LiveVersion) -> [SupersededRegistration] {
    version.readers -= 1
    if version.readers > 0 { return [] }
    let previous = version.previous
    previous?.next = version.next
    if let next = version.next { next.previous = previous } else { newest = previous }
    (version.previous, version.next) = (nil, nil)
    var dropped: [SupersededRegistration] = []
    for each in version.kept {
      if let previous, previous.number >= each.start {
        previous.kept.append(each)
      } else {
        remove(each)
        dropped.append(each)
      }
    }
    return dropped
  }

  /// Keeps a registration for the live versions between its numbers. Needs such a version.
  func keep(_ superseded: SupersededRegistration) {
    newest?.kept.append(superseded)
    kept[superseded.slot, default: []].append(superseded)
  }

  /// The superseded registration that was current in a slot at a version.
  func registration(in slot: SlotReference, at number: UInt64) -> SupersededRegistration? {
    guard let all = kept[slot] else { return nil }
    let index = all.partitioningIndex { $0.start > number }
    guard index > 0, number < all[index - 1].end else { return nil }
    return all[index - 1]
  }

  private func remove(_ superseded: SupersededRegistration) {
    let index = kept[superseded.slot]?.partitioningIndex { $0.start > superseded.start } ?? 0
    kept[superseded.slot]?.remove(at: index - 1)
    if kept[superseded.slot]?.isEmpty ?? false { kept[superseded.slot] = nil }
  }
}

/// A number of the clock at which forks read a container.
@safe
// SAFETY: see LiveVersions.
final class LiveVersion: @unchecked Sendable {
  let number: UInt64
  fileprivate var readers = 1
  fileprivate var previous: LiveVersion?
  fileprivate var next: LiveVersion?
  fileprivate var kept: [SupersededRegistration] = []

  fileprivate init(_ number: UInt64) {
    self.number = number
  }
}

/// A registration that was current in its slot from one number of the clock until a later number.
final class SupersededRegistration: Sendable {
  /// Without an instance.
  let record: RegistrationRecord
  let slot: SlotReference
  let start: UInt64
  let end: UInt64

  init(
    _ record: RegistrationRecord, in slot: SlotReference, from start: UInt64,
    until end: UInt64
  ) {
    self.record = record
    self.slot = slot
    self.start = start
    self.end = end
  }
}
