// SPDX-License-Identifier: MIT

/// Slots of one type with the same arguments, sorted by the texts of the names: names with the
/// longest common start are neighbors.
///
/// A name that is neither text nor integer is sorted as empty: only user code knows the text.
struct NameFamily: Sendable {
  private struct Entry: Sendable {
    let text: String
    let slot: SlotReference
  }

  let arguments: (any Any.Type)?
  private var entries: [Entry] = []
  /// How many of the entries are sorted.
  private var sortedCount = 0
  private var hasContribution = false

  init(arguments: (any Any.Type)?) {
    self.arguments = arguments
  }

  /// Adds a slot, to be found after ``sort()``.
  mutating func add(_ slot: SlotReference, named name: Name?) {
    // Contributions differ in nothing that helps the reader of an error: a single slot is enough.
    if name?.contribution != nil {
      if hasContribution { return }
      hasContribution = true
    }
    entries.append(Entry(text: name?.text ?? "", slot: slot))
  }

  /// A few added slots are inserted: a service that registers after a miss compares few names.
  mutating func sort() {
    if entries.count - sortedCount > Self.insertedAtMost {
      entries.sort { $0.text < $1.text }
    } else {
      let added = Array(entries[sortedCount...])
      entries.removeLast(added.count)
      // Behind slots of equal texts, which were registered before.
      for each in added {
        entries.insert(each, at: entries.partitioningIndex { each.text < $0.text })
      }
    }
    sortedCount = entries.count
  }

  private static let insertedAtMost = 8
  private static let countedAtMost = 6
  private static let triedAtMost = 32

  /// Calls `body` with named keys, the longest common starts with a name first, until `body` has
  /// accepted some keys, or has been called in vain too often.
  ///
  /// - Parameter body: gets the length of the common start too.
  func forEachNearest(to name: Name?, _ body: (RegistrationKey, Int) -> Bool) {
    let text = name?.text ?? ""
    var after = entries.partitioningIndex { $0.text >= text }
    var before = after - 1
    var (startBefore, startAfter) = (commonStart(at: before, text), commonStart(at: after, text))
    var counted = 0
    for _ in 0..<min(entries.count, Self.triedAtMost) {
      let (slot, start): (SlotReference, Int)
      if startBefore > startAfter {
        (slot, start) = (entries[before].slot, startBefore)
        before -= 1
        startBefore = commonStart(at: before, text)
      } else {
        (slot, start) = (entries[after].slot, startAfter)
        after += 1
        startAfter = commonStart(at: after, text)
      }
      if slot.isNamed, body(slot.key, start) { counted += 1 }
      if counted == Self.countedAtMost { return }
    }
  }

  /// -1 if the index has no entry.
  private func commonStart(at index: Int, _ text: String) -> Int {
    entries.indices.contains(index) ? entries[index].text.commonStart(with: text) : -1
  }
}
