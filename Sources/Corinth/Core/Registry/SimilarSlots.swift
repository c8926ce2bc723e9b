// SPDX-License-Identifier: MIT

/// The keys of a table that resemble a missing key, for the error's suggestions.
///
/// A listing for every type ever missing: the type's slots, sorted by the texts of names; and types
/// of other slots that are the optional, a supertype or a subtype, or look alike. Registering pays
/// nothing, the first miss walks over the table: see ``SlotListings``. No lock, no user code.
///
/// A listing takes 24 bytes per slot of the missing type, and some hundred for the type.
final class SimilarSlots: Sendable {
  private let listings = SlotListings<SimilarListing>()

  /// Calls `body` with keys that resemble a missing key, the nearest names first. A key may have no
  /// registration any more.
  ///
  /// - Parameters:
  ///   - table: always the same table.
  ///   - body: gets the length of the common start of the names, unless the names are equal.
  ///     Returns whether to show the key; a few keys are enough.
  func forEachKey(
    like key: RegistrationKey, in table: borrowing SlotTable, _ body: (RegistrationKey, Int) -> Bool
  ) {
    let listing = listings.listing(ofType: identity(of: key.product), in: table) { head, former in
      SimilarListing(of: key.product, in: table, from: head, completing: former)
    }
    guard let listing else { return }
    for family in listing.families where family.arguments == key.arguments {
      _ = body(RegistrationKey(product: key.product, arguments: key.arguments), 0)
      family.forEachNearest(to: key.name, body)
    }
    for family in listing.families.prefix(Self.othersAtMost)
    where family.arguments != key.arguments {
      _ = body(
        RegistrationKey(product: key.product, name: key.name, arguments: family.arguments), 0)
    }
    for type in listing.related.prefix(Self.othersAtMost) {
      _ = body(RegistrationKey(product: type, name: key.name, arguments: key.arguments), 0)
    }
  }

  /// Three times the number shown in a message: some keys may have no registration any more.
  private static let othersAtMost = 16
}

/// The slots of a type, and the types related to the type.
private struct SimilarListing: Sendable {
  private(set) var families: [NameFamily]
  private(set) var related: [any Any.Type]

  init(
    of type: any Any.Type, in table: borrowing SlotTable, from head: SlotReference,
    completing former: SlotListings<SimilarListing>.Dated?
  ) {
    families = former?.listing.families ?? []
    related = former?.listing.related ?? []
    let product = identity(of: type)
    var slots: [SlotReference] = []
    var others: [SlotReference] = []
    var seen: Set<UInt> = []
    table.forEachSlot(from: head, until: former?.head) { slot in
      if slot.product == product {
        slots.append(slot)
      } else if seen.insert(slot.product).inserted {
        others.append(slot)
      }
    }
    add(slots.reversed())
    for other in others.reversed().map(\.key.product)
    where areRelated(type, other) || areLookalikes(type, other) {
      if !related.contains(where: { $0 == other }) { related.append(other) }
    }
  }

  private mutating func add(_ slots: [SlotReference]) {
    for slot in slots {
      let key = slot.key
      let index = families.firstIndex { $0.arguments == key.arguments } ?? families.endIndex
      if index == families.endIndex { families.append(NameFamily(arguments: key.arguments)) }
      families[index].add(slot, named: key.name)
    }
    if slots.isEmpty { return }
    for index in families.indices { families[index].sort() }
  }
}

/// Whether one type is the optional, a supertype or a subtype of the other.
private func areRelated(_ type: any Any.Type, _ other: any Any.Type) -> Bool {
  isOptional(other, of: type) || isOptional(type, of: other) || isSubtype(other, of: type)
    || isSubtype(type, of: other)
}
