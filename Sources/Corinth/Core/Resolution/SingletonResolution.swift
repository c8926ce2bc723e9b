// SPDX-License-Identifier: MIT

/// The slow path of singletons, but for those that other calls build.
extension ContainerCore {
  /// Resolves a singleton that the slot does not hold yet, and ends the section. Out of line, to keep the frames of other nested
  /// resolves small.
  @inline(never)
  func resolveSingleton<Product>(
    _ product: Product.Type, from word: SlotWord, of slot: SlotReference, in section: Section,
    within construction: ResolutionContext?
  ) throws -> Product {
    guard let box = try firstInstance(behind: word, in: slot, section, within: construction)
    else {
      return try resolveSlowly(product, from: word, of: slot, in: section, within: construction)
    }
    return box.instance(of: product)
  }
}
