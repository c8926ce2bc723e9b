// SPDX-License-Identifier: MIT

/// The content of a key, and the value of the name under which the key's registrations are stored.
///
/// A slot, a fork, a listing or an error has an ordinary registration with an ordinary name. The
/// words by which a hit compares names are the address and the hash of the declaration, and are
/// constant: a hit computes nothing.
@usableFromInline
// SAFETY: all properties are constant and Sendable.
final class KeyDeclaration: NameValue, @unchecked Sendable {
  @usableFromInline let productWord: UInt
  @usableFromInline let nameHash: UInt64
  /// The hash of the type and the name.
  @usableFromInline let hash: UInt64
  let scope: AnyScope
  private let product: any Any.Type
  private let place: KeyPlace
  private let changes: [AttributeChange]
  private let makeRecord: @Sendable (RegistrationAttributes) -> RegistrationRecord

  /// - Parameter makeRecord: makes the registration with the default factory.
  init(
    of product: any Any.Type, at place: KeyPlace, scope: AnyScope, changes: [AttributeChange],
    makeRecord: @escaping @Sendable (RegistrationAttributes) -> RegistrationRecord
  ) {
    self.product = product
    self.place = place
    self.scope = scope
    self.changes = changes
    self.makeRecord = makeRecord
    nameHash = Name.hash(ofValue: place.hashValue)
    // The hash is the same for every object of the name: any one stands for the declaration.
    let name = Name(hash: nameHash, content: .value(NameValueOf(place)))
    let words = KeyWords(type: identity(of: product), name: NameBits(name), arguments: 0)
    (productWord, hash) = (words.product, words.hash)
    super.init()
  }

  var name: Name { Name(hash: nameHash, content: .value(self)) }

  var key: RegistrationKey { RegistrationKey(product: product, name: name) }

  override var hashable: AnyHashable { AnyHashable(place) }

  override var description: String { place.description }

  override var suffix: String { " declared \(place.text)" }

  override func isEqual(to other: NameValue) -> Bool {
    (other as? KeyDeclaration)?.place == place
  }

  override func registerDefault(in container: AnyObject) -> Bool {
    guard let core = container as? ContainerCore else { return false }
    return core.registerDefault(of: key) { owner in
      // Adopted: a registration under the key may always take the place of the default.
      var attributes = RegistrationAttributes(
        key: key, scope: scope, by: .registrationInScope, location: place.location, owner: owner)
      attributes.change(by: changes)
      attributes.markDefault()
      attributes.judge()
      return makeRecord(attributes)
    }
  }
}

/// Where a key is declared: two keys of a product are one if they are declared at one place, under
/// one name.
struct KeyPlace: Hashable, Sendable, CustomStringConvertible {
  let name: String?
  let location: SourceLocation
  let column: UInt

  /// For example `key "bulk" at App/Keys.swift:12`.
  var description: String { "key " + (name.map { "\"\($0)\" " } ?? "") + "at \(location)" }

  /// For example `as "bulk" at App/Keys.swift:12`.
  var text: String { (name.map { "as \"\($0)\" " } ?? "") + "at \(location)" }
}

extension KeyWords {
  @inlinable @inline(__always)
  init(_ declaration: borrowing KeyDeclaration) {
    self.init(
      product: declaration.productWord,
      name: NameBits(hash: declaration.nameHash, value: declaration), hash: declaration.hash)
  }
}
