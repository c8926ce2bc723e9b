// SPDX-License-Identifier: MIT

/// The slow path of instances that registrations store.
extension ContainerCore {
  /// Resolves a singleton not in the slot yet, and ends the section. Out of line, to keep the
  /// frames of unrelated nested resolves small.
  @inline(never)
  func resolveSingleton<Product>(
    _ product: Product.Type, from word: SlotWord, of slot: SlotReference, in section: Section,
    within construction: ResolutionContext?
  ) throws -> Product {
    table.checkImage()
    if let box = try firstInstance(behind: word, in: slot, section, within: construction) {
      return box.instance(of: product)
    }
    guard let box = try box(behind: word, ending: section, in: slot, within: construction) else {
      return try resolveInherited(product, name: slot.name, within: construction)
    }
    return box.instance(of: product)
  }

  /// Resolves an instance stored by the registration, and ends the section. Out of line for speed.
  @inline(never)
  func resolveStored<Product>(
    _ product: Product.Type, in slot: SlotReference, _ section: Section,
    within construction: ResolutionContext?
  ) throws -> Product {
    let word = slot.load()
    if let box = unsafe word.storedBox() {
      return unsafe AnyInstanceBox.instance(of: product, inBoxAt: box, leaving: section)
    }
    return try resolveSlowly(product, from: word, of: slot, in: section, within: construction)
  }
}
