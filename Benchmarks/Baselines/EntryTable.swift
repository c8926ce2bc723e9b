// SPDX-License-Identifier: MIT

/// The dictionary of all baselines; every baseline protects the dictionary in a different way.
public struct EntryTable: Sendable {
  @usableFromInline var entries: [EntryKey: AnyEntry] = [:]

  @inlinable
  init() {}

  /// Looks up a key whose entry, if present, has the given types.
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

/// The key of an entry in the table.
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

/// The result of a lookup under the lock: an instance, or the entry that builds one outside of the
/// lock.
@usableFromInline
enum Finding<Factory: Sendable, Product> {
  case instance(Product)
  case entry(Entry<Factory, Product>)
}

extension Finding: Sendable where Product: Sendable {}

/// The error of a lookup without a result.
public struct NotRegistered: Error {
  @inlinable
  init() {}
}
