// SPDX-License-Identifier: MIT

internal import Synchronization

/// The slots of a table by the type of their keys, for collections: those without arguments, whatever their names.
///
/// A table's slots are a list that only grows at its head. A list made before is therefore complete as long as the head
/// is the same, and made complete by a walk from the new head to the old one: writers need not know of it. Each slot is
/// looked at once for each type that is asked for.
///
/// Replaced copies are retired, not awaited: readers are lock-free. Two threads that find the same list outdated both
/// replace it; the one that loses has its walk repeated by a later reader.
final class TypeSlots: Sendable {
  private struct Listing: Sendable {
    let head: SlotReference
    let slots: [SlotReference]
  }

  private final class Listings: Sendable {
    let byType: [UInt: Listing]

    init(_ byType: [UInt: Listing]) {
      self.byType = byType
    }
  }

  private let listings = ReplaceableReference<Listings>()

  /// The slots of a type, the one inserted first at first. They may be empty.
  ///
  /// - Parameter table: always the same.
  func slots(ofType type: UInt, in table: borrowing SlotTable) -> [SlotReference] {
    // Before the head: a list that is newer than the head would never be met on the walk.
    let known = listings.load()
    guard let head = table.newestSlot else { return [] }
    let former = known?.byType[type]
    if let former, former.head == head { return former.slots }
    var newer: [SlotReference] = []
    table.forEachSlot(from: head, until: former?.head) { slot in
      if slot.isElement(ofType: type) { newer.append(slot) }
    }
    let slots = (former?.slots ?? []) + newer.reversed()
    var byType = known?.byType ?? [:]
    byType[type] = Listing(head: head, slots: slots)
    listings.store(Listings(byType))
    return slots
  }
}
