// SPDX-License-Identifier: MIT

/// What is known of the slots of a table for each type that was asked for.
///
/// A table's slots are a list that only grows at its head. A listing made before is therefore complete as long as the head
/// is the same, and made complete by a walk from the new head to the old one: writers do nothing for it.
///
/// Replaced copies are retired, not awaited: readers are lock-free. Two threads that find the same listing outdated both
/// replace it; the one that loses has its walk repeated by a later reader.
final class SlotListings<Listing: Sendable>: Sendable {
  typealias Dated = (head: SlotReference, listing: Listing)

  private let byType = ReplaceableReference<Shared<[UInt: Dated]>>()

  /// - Parameters:
  ///   - table: always the same.
  ///   - make: makes the listing of a head from the one of an earlier head.
  /// - Returns: `nil` if there are no slots.
  @inline(__always)
  func listing(
    ofType type: UInt, in table: borrowing SlotTable,
    _ make: (_ head: SlotReference, _ former: Dated?) -> Listing
  ) -> Listing? {
    // Before the head: a listing that is newer than the head would never be met on the walk.
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

/// The slots of a table by the type of their keys, for collections: those without arguments, whatever their names.
final class TypeSlots: Sendable {
  private let listings = SlotListings<[SlotReference]>()

  /// The slots of a type, the one inserted first at first. They may be empty.
  ///
  /// - Parameter table: always the same.
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
