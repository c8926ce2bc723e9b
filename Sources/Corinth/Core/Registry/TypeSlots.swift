// SPDX-License-Identifier: MIT

/// Listings of a table's slots, for each type asked for.
///
/// A table's slots are a list that only grows at the head. A listing is complete while the head is
/// unchanged; a walk from the new head to the old head completes it. Writers do nothing for it.
///
/// Replaced snapshots are retired, not awaited: readers are lock-free. Two threads that find a
/// listing outdated both replace it; the walk of the loser is repeated by a later reader.
final class SlotListings<Listing: Sendable>: Sendable {
  typealias Dated = (head: SlotReference, listing: Listing)

  private let byType = ReplaceableReference<Shared<[UInt: Dated]>>()

  /// - Parameters:
  ///   - table: always the same table.
  ///   - make: makes the listing of a head from a former listing of an earlier head.
  /// - Returns: `nil` without slots.
  @inline(__always)
  func listing(
    ofType type: UInt, in table: borrowing SlotTable,
    _ make: (_ head: SlotReference, _ former: Dated?) -> Listing
  ) -> Listing? {
    // Before the head: a listing newer than the head would never be met on the walk.
    let known = byType.load()
    guard let head = table.newestSlot else { return nil }
    let former = known?.value[type]
    if let former, former.head == head { return former.listing }
    let listing = make(head, former)
    var extended = known?.value ?? [:]
    extended[type] = (head, listing)
    byType.store(Shared(extended))
    return listing
  }
}

/// The slots of a table by the type of the key, for collections: any name, and no arguments.
final class TypeSlots: Sendable {
  private let listings = SlotListings<[SlotReference]>()

  /// The slots of a type, oldest first. A slot may be empty.
  ///
  /// - Parameter table: always the same table.
  func slots(ofType type: UInt, in table: borrowing SlotTable) -> [SlotReference] {
    listings.listing(ofType: type, in: table) { head, former in
      var newer: [SlotReference] = []
      table.forEachSlot(from: head, until: former?.head) { slot in
        if slot.isElement(ofType: type) { newer.append(slot) }
      }
      return (former?.listing ?? []) + newer.reversed()
    } ?? []
  }
}
