// SPDX-License-Identifier: MIT

internal import Synchronization

/// The clock of all containers. Each registration that becomes the current one of its key gets the number that it shows, its
/// version; a fork reads the registrations up to the number that it moves the clock on from.
///
/// It is read with the writer lock of the container held, and moved on with the writer locks of all containers held that
/// the fork looks at: the locks order the two, so the counter need not. Only the first registration after a move writes to
/// it: threads that register share no line that they write to.
enum VersionClock {
  /// The number, and in the lowest bit whether it may be that of a registration.
  private static let word = Atomic<UInt64>(2)

  /// The number of what changes now: greater than those of all forks that have been made.
  static var now: UInt64 {
    let found = word.load(ordering: .relaxed)
    if found & 1 == 0 { word.bitwiseOr(1, ordering: .relaxed) }
    return found >> 1
  }

  /// The number of a fork: not less than those of all changes by now. Forks without a change in between have one number.
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

/// The versions of one container that live forks read, and the registrations that only these still see.
///
/// Invariants
///  1. The versions ascend. Each is less than the number of any later change.
///  2. A registration that was current from one number on, and no more at another one, is kept as long as a live version
///     lies in between, and by the greatest one of these.
@safe
// SAFETY: only touched with the writer lock of the container held, as are the versions and what they keep.
final class LiveVersions: @unchecked Sendable {
  private var newest: LiveVersion?
  /// What is kept, by its slot, in ascending order.
  private var kept: [SlotReference: [SupersededRegistration]] = [:]

  var isEmpty: Bool { newest == nil }

  /// Whether a live version lies behind `number`, or is it.
  func needs(_ number: UInt64) -> Bool { newest.map { $0.number >= number } ?? false }

  /// Adds a reader of a version: one that is not less than all before.
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

  /// Ends what ``begin(_:)`` began.
  ///
  /// - Returns: what no version needs any more. The caller releases it with no lock held.
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

  /// Keeps a registration for the live versions in between, of which there is one.
  func keep(_ superseded: SupersededRegistration) {
    newest?.kept.append(superseded)
    kept[superseded.slot, default: []].append(superseded)
  }

  /// What was current in a slot at a version, and is not any more.
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

/// A number of the clock that forks read a container at.
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

/// A registration that was current in its slot from one number of the clock on, until another one was drawn.
final class SupersededRegistration: Sendable {
  /// Without an instance.
  let record: any AnyObject & Sendable
  let slot: SlotReference
  let start: UInt64
  let end: UInt64

  init(
    _ record: any AnyObject & Sendable, in slot: SlotReference, from start: UInt64,
    until end: UInt64
  ) {
    self.record = record
    self.slot = slot
    self.start = start
    self.end = end
  }
}
