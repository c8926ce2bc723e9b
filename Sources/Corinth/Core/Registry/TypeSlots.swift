// SPDX-License-Identifier: MIT

/// The slots of a table by the type of the key, for collections: any name, and no arguments.
///
/// A table's slots are a list that only grows at the head. The listing of a type is complete while
/// the head is unchanged; a walk from the new head to the old head completes it. Writers do nothing
/// for it.
///
/// Replaced snapshots are retired, not awaited: readers are lock-free. Two threads that find a
/// listing outdated both replace it; the walk of the loser is repeated by a later reader.
final class TypeSlots: Sendable {
  private let byType = ReplaceableReference<
    Shared<[UInt: (head: SlotReference, [SlotReference])]>
  >()

  /// The slots of a type, oldest first. A slot may be empty.
  ///
  /// - Parameter table: always the same table.
  func slots(ofType type: UInt, in table: borrowing SlotTable) -> [SlotReference] {
    // Before the head: a listing newer than the head would never be met on the walk.
    let known = byType.load()
    guard let head = table.newestSlot else { return [] }
    let former = known?.value[type]
    if let former, former.head == head { return former.1 }
    var newer: [SlotReference] = []
    table.forEachSlot(from: head, until: former?.head) { slot in
      if slot.isElement(ofType: type) { newer.append(slot) }
    }
    let slots = (former?.1 ?? []) + newer.reversed()
    var extended = known?.value ?? [:]
    extended[type] = (head, slots)
    byType.store(Shared(extended))
    return slots
  }
}
