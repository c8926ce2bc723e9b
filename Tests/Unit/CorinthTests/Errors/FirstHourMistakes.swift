// SPDX-License-Identifier: MIT

import Corinth

/// A mistake of a newcomer's first hour.
struct Mistake: Sendable {
  /// What the newcomer does.
  let title: String
  /// Makes the mistake in a new container; throws what the newcomer sees.
  let make: @Sendable (Container) async throws -> Void

  init(_ title: String, _ make: @escaping @Sendable (Container) async throws -> Void) {
    (self.title, self.make) = (title, make)
  }
}

extension Mistake {
  protocol Mail: Sendable {}
  struct SMTPMail: Mail {}
  final class Pool: Sendable {}
  final class Basket: Sendable {}
  final class Till: Sendable {
    let basket: Basket
    init(basket: Basket) { self.basket = basket }
  }
  final class Shop: Sendable {
    let mail: any Mail
    init(mail: any Mail) { self.mail = mail }
  }
  final class Hen: Sendable { init(egg: Egg) {} }
  final class Egg: Sendable { init(hen: Hen) {} }
  struct Refused: Error, CustomStringConvertible { let description = "connection refused" }
  struct Request: Sendable {}
  final class Handler: Sendable { init(request: Request) {} }
}

extension Mistake {
  /// By the part of the manual that a newcomer reads.
  static let kinds: [(name: String, mistakes: [Mistake])] = [
    ("registering", registering), ("arguments", arguments), ("scopes", scopes),
    ("asynchronous", asynchronous), ("disposal", disposal), ("modules", modules),
    ("reloading", reloading),
  ]

  static let registering = [
    Mistake("resolves what nothing is registered for") { _ = try $0.resolve(Pool.self) },
    Mistake("asks for the protocol, and has registered the type") {
      try $0.register(SMTPMail.self) { _ in SMTPMail() }
      _ = try $0.resolve((any Mail).self)
    },
    Mistake("asks for the type, and has registered the protocol") {
      try $0.register((any Mail).self) { _ in SMTPMail() }
      _ = try $0.resolve(SMTPMail.self)
    },
    Mistake("misspells a name") {
      try $0.register(Pool.self, name: "orders") { _ in Pool() }
      _ = try $0.resolve(Pool.self, name: "order")
    },
    Mistake("leaves the name out") {
      try $0.register(Pool.self, name: "orders") { _ in Pool() }
      _ = try $0.resolve(Pool.self)
    },
    Mistake("gives a name to what has none") {
      try $0.register(Pool.self) { _ in Pool() }
      _ = try $0.resolve(Pool.self, name: "orders")
    },
    Mistake("gives a name of another type") {
      try $0.register(Pool.self, name: "1") { _ in Pool() }
      _ = try $0.resolve(Pool.self, name: Name(1))
    },
    Mistake("registers an optional, and asks for the value") {
      try $0.register(Pool?.self) { _ in Pool() }
      _ = try $0.resolve(Pool.self)
    },
    Mistake("asks for one of the contributions") {
      try $0.contribute(to: (any Mail).self) { _ in SMTPMail() }
      _ = try $0.resolve((any Mail).self)
    },
    Mistake("wires a part whose dependency is missing") {
      try $0.wire(Shop.self, using: Shop.init)
      _ = try $0.resolve(Shop.self)
    },
    Mistake("has a part of a part missing") {
      try $0.register(Till.self) { Till(basket: try $0.resolve()) }
      try $0.register(Basket.self) { resolver in
        _ = try resolver.resolve(Pool.self)
        return Basket()
      }
      _ = try $0.resolve(Till.self)
    },
    Mistake("registers in the child, and asks the parent") {
      let child = Container(parent: $0)
      try child.register(Pool.self) { _ in Pool() }
      _ = try $0.resolve(Pool.self)
    },
    Mistake("makes two parts that need each other") {
      try $0.wire(Hen.self, using: Hen.init)
      try $0.wire(Egg.self, using: Egg.init)
      _ = try $0.resolve(Hen.self)
    },
    Mistake("resolves a type in its own factory") {
      try $0.register(Pool.self) { try $0.resolve(Pool.self) }
      _ = try $0.resolve(Pool.self)
    },
    Mistake("has a factory that throws") {
      try $0.register(Pool.self) { _ in throw Refused() }
      try $0.register(Basket.self) { resolver in
        _ = try resolver.resolve(Pool.self)
        return Basket()
      }
      _ = try $0.resolve(Basket.self)
    },
    Mistake("has a factory that builds nil") { _ in
      let container = Container(unwrapsOptionals: true)
      try container.register(Pool?.self) { _ in nil }
      _ = try container.resolve(Pool.self)
    },
    Mistake("refuses duplicates, and registers twice") { _ in
      let container = Container(duplicates: .refuse)
      try container.register(Pool.self) { _ in Pool() }
      try container.register(Pool.self) { _ in Pool() }
    },
    Mistake("registers what is not open to others") {
      try $0.register(Pool.self, onDuplicate: .refuse) { _ in Pool() }
      try $0.register(Pool.self) { _ in Pool() }
    },
    Mistake("overrides a type that nothing is registered for") {
      try $0.register((any Mail).self) { _ in SMTPMail() }
      try $0.register(SMTPMail.self, onDuplicate: .require) { _ in SMTPMail() }
    },
    Mistake("forwards a type to one that is not of it") {
      try $0.register(Pool.self) { _ in Pool() }
      try $0.forward(Basket.self, to: Pool.self)
    },
    Mistake("registers after the freeze") {
      try $0.freeze()
      try $0.register(Pool.self) { _ in Pool() }
    },
    Mistake("registers in a container of a builder") { _ in
      let container = try ContainerBuilder().build()
      try container.register(Pool.self) { _ in Pool() }
    },
    Mistake("decorates a type that nothing is registered for") {
      try $0.decorate(Pool.self) { pool, _ in pool }
      try $0.validate()
    },
    Mistake("is asked for by a wrong part, and validates") {
      try $0.wire(Shop.self, using: Shop.init)
      try $0.wire(Till.self, using: Till.init)
      try $0.validate()
    },
  ]

  static let arguments = [
    Mistake("gives no argument") {
      try $0.register(Pool.self) { (_, _: String) in Pool() }
      _ = try $0.resolve(Pool.self)
    },
    Mistake("gives an argument to what takes none") {
      try $0.register(Pool.self) { _ in Pool() }
      _ = try $0.resolve(Pool.self, arguments: "db")
    },
    Mistake("gives an argument of another type") {
      try $0.register(Pool.self) { (_, _: Int) in Pool() }
      _ = try $0.resolve(Pool.self, arguments: "5")
    },
    Mistake("gives the arguments in another order") {
      try $0.register(Pool.self) { (_, _: String, _: Int) in Pool() }
      _ = try $0.resolve(Pool.self, arguments: 5, "db")
    },
    Mistake("gives too few arguments") {
      try $0.register(Pool.self) { (_, _: String, _: Int) in Pool() }
      _ = try $0.resolve(Pool.self, arguments: "db")
    },
    Mistake("gives the value for an optional argument") {
      try $0.register(Pool.self) { (_, _: Int?) in Pool() }
      _ = try $0.resolve(Pool.self, arguments: 5)
    },
    Mistake("gives the type for an argument of the protocol") {
      try $0.register(Pool.self) { (_, _: any Mail) in Pool() }
      _ = try $0.resolve(Pool.self, arguments: SMTPMail())
    },
    Mistake("shares instances by an argument that cannot be compared") {
      try $0.register(Pool.self, scope: .singleton) { (_, _: any Mail) in Pool() }
      _ = try $0.resolve(Pool.self, arguments: SMTPMail() as any Mail)
    },
    Mistake("marks a part with arguments as eager") {
      try $0.register(Pool.self, scope: .singleton, with: .eager) { (_, _: Int) in Pool() }
      try await $0.warmUp()
    },
  ]
}
