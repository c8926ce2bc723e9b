// SPDX-License-Identifier: MIT

import Foundation
import TestSupport

@testable import Corinth

/// A product with the number of the registration that has made the instance.
final class Numbered<Tag>: Sendable {
  let registration: Int

  init(_ registration: Int) {
    self.registration = registration
  }
}

/// A value whose name has the hash given: an even number above 0, as of all names but texts.
struct Chosen: Hashable, Sendable {
  let hash: UInt64
  let id: Int

  /// All that `AnyHashable` asks for, by which names are hashed.
  func _rawHashValue(seed: Int) -> Int { Int(hash >> 1) }
}

struct Alike: Hashable, Sendable {
  let id: Int

  func hash(into hasher: inout Hasher) {}
}

/// A name, and the value by which a dictionary tells the name from others.
struct NameOfValue: @unchecked Sendable {
  // SAFETY: the value is made of a Sendable value.
  let value: AnyHashable?
  /// A name whose bits are those of a slot made with the name.
  let kept: Name?
  /// The same name made anew, with bits of its own if the name has memory.
  let make: @Sendable () -> Name?

  /// - Parameter equal: the value that the name equals, if another.
  init<Value: Hashable & Sendable>(_ value: Value, asOf equal: AnyHashable? = nil) {
    self.value = equal ?? AnyHashable(value)
    kept = Name(value)
    make = { Name(value) }
  }

  init(text: String, kept: Name? = nil) {
    value = AnyHashable(text)
    self.kept = kept ?? Name(text)
    make = { Name(String(decoding: Array(text.utf8), as: UTF8.self)) }
  }

  private init() {
    (value, kept, make) = (nil, nil, { nil })
  }

  static let none = NameOfValue()
}

/// The types in a key, and all the ways to ask a container for a key of these types.
struct KeyShape: Sendable {
  typealias Lookup<Result> = @Sendable (Container, Name?) throws -> Result

  let product: any Any.Type
  var arguments: (any Any.Type)?
  var scopes: [AnyScope] = [.transient, .weak, .singleton]
  let register: @Sendable (Container, Name?, AnyScope, Int) throws -> Void
  let unregister: Lookup<Bool>
  let release: Lookup<Bool>
  let contains: Lookup<Bool>
  /// Lookups of the number of the registration: without one, the result is `nil` or an error.
  let ways: [Lookup<Int?>]
  let asyncWays: [@Sendable (Container, Name?) async throws -> Int?]

  static func of<Tag>(_ tag: Tag.Type) -> KeyShape {
    typealias Product = Numbered<Tag>
    return KeyShape(
      product: Product.self,
      register: { container, name, scope, number in
        try container.register(Product.self, name: name, scope: scope) { _ in Product(number) }
      },
      unregister: { $0.unregister(Product.self, name: $1) },
      release: { $0.release(Product.self, name: $1) },
      contains: { $0.contains(Product.self, name: $1) },
      ways: [
        { container, name in
          guard let name else { return try container.resolve(Product.self).registration }
          return try container.resolve(Product.self, name: name).registration
        },
        { container, name in
          guard let name else {
            return try container.resolveIfRegistered(Product.self)?.registration
          }
          return try container.resolveIfRegistered(Product.self, name: name)?.registration
        },
        { container, name in
          let product: Product? =
            if let name { try container.resolve(name: name) } else { try container.resolve() }
          return product?.registration
        },
        { try $0.resolver.resolve(Product.self, name: $1).registration },
        { try $0.withResolved(Product.self, name: $1) { $0.registration } },
        { try $0.provider(for: Product.self, name: $1)().registration },
        { try $0.resolve(Lazy<Product>.self, name: $1).value.registration },
        { try Injected<Product>(name: $1, from: .container($0))().registration },
        {
          (try $0.resolve(key: RegistrationKey(Product.self, name: $1)) as? Product)?.registration
        },
      ],
      asyncWays: [
        { try await $0.resolveAsync(Product.self, name: $1).registration },
        { try await $0.resolveAsyncIfRegistered(Product.self, name: $1)?.registration },
      ])
  }

  /// With an argument, by whose type factories are told apart.
  static func of<Tag, Argument: Sendable>(_ tag: Tag.Type, _ argument: Argument) -> KeyShape {
    typealias Product = Numbered<Tag>
    return KeyShape(
      product: Product.self, arguments: Argument.self, scopes: [.transient],
      register: { container, name, scope, number in
        try container.register(Product.self, name: name, scope: scope) { (_, _: Argument) in
          Product(number)
        }
      },
      unregister: { $0.unregister(Product.self, name: $1, arguments: Argument.self) },
      release: { $0.release(Product.self, name: $1, arguments: Argument.self) },
      contains: { $0.contains(Product.self, name: $1, arguments: Argument.self) },
      ways: [
        { try $0.resolve(Product.self, name: $1, arguments: argument).registration },
        { try $0.resolver.resolve(Product.self, name: $1, arguments: argument).registration },
        { try $0.resolveIfRegistered(Product.self, name: $1, arguments: argument)?.registration },
      ],
      asyncWays: [
        { try await $0.resolveAsync(Product.self, name: $1, arguments: argument).registration }
      ])
  }
}

struct CollidingKey: Sendable {
  /// What a dictionary compares.
  struct Identity: Hashable {
    let product: ObjectIdentifier
    let arguments: ObjectIdentifier?
    let name: AnyHashable?
  }

  let shape: KeyShape
  let name: NameOfValue

  init(_ shape: KeyShape, _ name: NameOfValue = .none) {
    (self.shape, self.name) = (shape, name)
  }

  var identity: Identity {
    Identity(
      product: ObjectIdentifier(shape.product),
      arguments: shape.arguments.map { ObjectIdentifier($0) }, name: name.value)
  }

  var key: RegistrationKey {
    RegistrationKey(product: shape.product, name: name.kept, arguments: shape.arguments)
  }

  /// The key's first entry in the smallest cache, which has 32 entries.
  var entry: UInt64 { KeyWords(key).hash >> 59 }

  /// What a lookup finds; `nil` if the lookup says that nothing is registered under the key.
  nonisolated(nonsending)
    func found(by lookup: nonisolated(nonsending) () async throws -> Int?) async throws -> Int?
  {
    do { return try await lookup() } catch  where isMissing(error) { return nil }
  }

  func found(by lookup: () throws -> Int?) throws -> Int? {
    do { return try lookup() } catch  where isMissing(error) { return nil }
  }

  private func isMissing(_ error: any Error) -> Bool {
    error.is(.noRegistrationFound)
      || (error as? ResolutionError)?.underlyingError?.is(.noRegistrationFound) ?? false
  }
}

/// Pairs of keys, a pair for every number, of which little keeps a lookup from taking one key for
/// the other once both keys lead to one entry.
struct KeyFamily: Sendable {
  let description: String
  let pair: @Sendable (Int) -> (CollidingKey, CollidingKey)

  /// Pairs whose first entries in the smallest cache are one.
  func collisions(_ count: Int) -> [(CollidingKey, CollidingKey)] {
    Array((1...20_000).lazy.map(pair).filter { $0.entry == $1.entry }.prefix(count))
  }

  private init(
    _ description: String, _ pair: @escaping @Sendable (Int) -> (CollidingKey, CollidingKey)
  ) {
    (self.description, self.pair) = (description, pair)
  }

  /// Of two names of one product.
  private init<First: Hashable & Sendable, Second: Hashable & Sendable>(
    names description: String, _ names: @escaping @Sendable (Int) -> (First, Second)
  ) {
    self.init(description) {
      let (first, second) = names($0)
      return (
        CollidingKey(Self.plain, NameOfValue(first)),
        CollidingKey(Self.plain, NameOfValue(second))
      )
    }
  }

  /// Of two shapes with one name. Several pairs of shapes: types at some distances never collide.
  private init(shapes description: String, _ shapes: [(KeyShape, KeyShape)]) {
    self.init(description) {
      let name = $0 % 2 == 0 ? NameOfValue($0) : NameOfValue(text: "\($0)")
      let (first, second) = shapes[$0 / 2 % shapes.count]
      return (CollidingKey(first, name), CollidingKey(second, name))
    }
  }

  static let all: [KeyFamily] = [
    KeyFamily(names: "an integer and its digits") { ($0, "\($0)") },
    KeyFamily(names: "a negative integer and its digits") { (-$0, "-\($0)") },
    KeyFamily(names: "an integer and its digits, on the heap") {
      (Int.max - $0, "\(Int.max - $0)")
    },
    KeyFamily(names: "integers of one hash") { (-$0, UInt64(bitPattern: Int64(-$0))) },
    KeyFamily(names: "texts of different lengths") { ("\($0)", "\($0)\0") },
    KeyFamily(names: "texts with one start") { ("a start \($0)", "a start \($0 + 1)") },
    KeyFamily(names: "texts with one end") { ("\($0) and the end", "\($0 + 1) and the end") },
    KeyFamily(names: "long texts with one start and one end") {
      ("more than sixteen bytes \($0) and more", "more than sixteen bytes \($0 + 1) and more")
    },
    KeyFamily(names: "letters with and without an accent") { ("e\u{301}\($0)", "e\($0)") },
    KeyFamily(names: "values of one hash") { (Alike(id: $0), Alike(id: $0 + 1)) },
    KeyFamily(names: "an integer and a value of its hash") {
      ($0, Chosen(hash: Name($0).hash, id: $0))
    },
    KeyFamily(names: "a value and none") { ($0, Int?.none) },
    KeyFamily(shapes: "two products", pairs(of: products)),
    KeyFamily(shapes: "two arguments", pairs(of: arguments)),
    KeyFamily(shapes: "with and without an argument", arguments.map { (plain, $0) }),
    KeyFamily(
      shapes: "product and argument exchanged",
      [
        exchanged(A.self, B.self), exchanged(A.self, [B].self), exchanged(Int.self, String.self),
        exchanged(A.self, Double.self), exchanged([A].self, [B].self),
      ]),
    KeyFamily("with and without a name") {
      (CollidingKey(plain), CollidingKey(plain, NameOfValue($0)))
    },
    KeyFamily("two products, whose names make up for the types") {
      let hash = UInt64(identity(of: plain.product) ^ identity(of: other.product))
      return (CollidingKey(other), CollidingKey(plain, NameOfValue(Chosen(hash: hash, id: $0))))
    },
  ]

  static let plain = KeyShape.of(A.self)
  static let other = KeyShape.of(B.self)
  private static let products = [
    plain, other, .of(Int.self), .of([A].self), .of([B].self), .of(A?.self), .of(B?.self),
    .of([[A]].self), .of([[B]].self), .of(String.self),
  ]
  private static let arguments: [KeyShape] = [
    .of(A.self, 0), .of(A.self, UInt(0)), .of(A.self, ""), .of(A.self, 0.0), .of(A.self, [0]),
    .of(A.self, Int8(0)), .of(A.self, (0, 0)), .of(A.self, Int?.none), .of(A.self, Alike(id: 0)),
  ]

  private static func exchanged<First, Second>(
    _ first: First.Type, _ second: Second.Type
  ) -> (KeyShape, KeyShape) {
    (.of(first, Numbered<Second>(0)), .of(second, Numbered<First>(0)))
  }

  private static func pairs(of shapes: [KeyShape]) -> [(KeyShape, KeyShape)] {
    shapes.indices.flatMap { index in shapes[..<index].map { ($0, shapes[index]) } }
  }
}
