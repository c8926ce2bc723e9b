// SPDX-License-Identifier: MIT

/// The dictionary that all baselines keep, and that each protects in its own way.
public struct EntryTable: Sendable {
  @usableFromInline var entries: [EntryKey: AnyEntry] = [:]

  @inlinable
  init() {}

  /// Looks a key up whose entry, if there is one, has these types.
  @inlinable
  func find<Product, Factory>(
    _ key: EntryKey, product: Product.Type, factory: Factory.Type
  ) throws -> Finding<Factory, Product> {
    guard let found = entries[key] else { throw NotRegistered() }
    // SAFETY: product and argument, which are in the key, decide the types.
    let entry = unsafe unsafeDowncast(found, to: Entry<Factory, Product>.self)
    if let instance = entry.instance { return .instance(instance) }
    return .entry(entry)
  }
}

/// What an entry is found by.
@usableFromInline
struct EntryKey: Hashable, Sendable {
  @usableFromInline let product: ObjectIdentifier
  @usableFromInline let name: String?
  @usableFromInline let argument: ObjectIdentifier

  @inlinable
  init(_ product: any Any.Type, _ name: String?, _ argument: any Any.Type) {
    self.product = ObjectIdentifier(product)
    self.name = name
    self.argument = ObjectIdentifier(argument)
  }
}

/// What is found under the lock: an instance, or what to build one with outside of it.
@usableFromInline
enum Finding<Factory: Sendable, Product> {
  case instance(Product)
  case entry(Entry<Factory, Product>)
}

extension Finding: Sendable where Product: Sendable {}

/// What a lookup that finds nothing throws.
public struct NotRegistered: Error {
  @inlinable
  init() {}
}
