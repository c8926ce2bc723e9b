// SPDX-License-Identifier: MIT

/// The keys of a table that resemble a missing key, for the error's suggestions.
///
/// The keys are searched for at the miss, among the newest slots of the table: registering pays
/// nothing, and an error among 100,000 keys takes no longer than among 4,096. No lock, no user
/// code: a name that is neither text nor integer counts as empty, as only user code knows the text.
struct SimilarKeys {
  private static let slotsAtMost = 4_096
  /// Three times the number shown in a message: some keys may have no registration any more.
  private static let keysAtMost = 16

  private let key: RegistrationKey
  private let text: String
  /// The slots of the type whose names differ, the longest common starts first.
  private var named: [(slot: SlotReference, start: Int)] = []
  private var isPlain = false
  private var hasContribution = false
  private var otherArguments: [(any Any.Type)?] = []
  private var related: [any Any.Type] = []

  init(like key: RegistrationKey, in table: borrowing SlotTable) {
    self.key = key
    text = key.name?.text ?? ""
    let product = identity(of: key.product)
    var slots: [SlotReference] = []
    var others: [SlotReference] = []
    var seen: Set<UInt> = []
    table.forEachSlot(atMost: Self.slotsAtMost) { slot in
      if slot.product == product {
        slots.append(slot)
      } else if seen.insert(slot.product).inserted {
        others.append(slot)
      }
    }
    // Of equally similar keys, the oldest slots are taken.
    for slot in slots.reversed() { add(slot) }
    let isRelated = relation(to: key.product)
    for other in others.reversed().lazy.map(\.key.product) where isRelated(other) {
      related.append(other)
      if related.count == Self.keysAtMost { return }
    }
  }

  private mutating func add(_ slot: SlotReference) {
    let candidate = slot.key
    guard candidate.arguments == key.arguments else {
      if otherArguments.count < Self.keysAtMost,
        !otherArguments.contains(where: { $0 == candidate.arguments })
      {
        otherArguments.append(candidate.arguments)
      }
      return
    }
    guard let name = candidate.name else {
      isPlain = true
      return
    }
    // Contributions differ in nothing that helps the reader of an error: a single slot is enough.
    if name.contribution != nil {
      if hasContribution { return }
      hasContribution = true
    }
    let start = name.text.commonStart(with: text)
    if named.count == Self.keysAtMost {
      if named[named.count - 1].start >= start { return }
      named.removeLast()
    }
    named.insert((slot, start), at: named.partitioningIndex { $0.start < start })
  }

  /// The keys, with the length of the common start of the names, unless the names are equal.
  var all: [(key: RegistrationKey, start: Int)] {
    var all = named.map { (key: $0.slot.key, start: $0.start) }
    func add(_ product: any Any.Type, named name: Name?, _ arguments: (any Any.Type)?) {
      all.append((RegistrationKey(product: product, name: name, arguments: arguments), 0))
    }
    if isPlain { add(key.product, named: nil, key.arguments) }
    for arguments in otherArguments { add(key.product, named: key.name, arguments) }
    for type in related { add(type, named: key.name, key.arguments) }
    return all
  }
}

/// Whether another type is the optional, a supertype or a subtype of a type, or looks alike.
private func relation(to type: any Any.Type) -> (any Any.Type) -> Bool {
  let (itsOptional, itsWrapped) = (optional(of: type), wrappedType(ofOptional: type))
  let isLookalike = likeness(to: type)
  return { other in
    other == itsOptional || other == itsWrapped || isSubtype(other, of: type)
      || isSubtype(type, of: other) || isLookalike(other)
  }
}
