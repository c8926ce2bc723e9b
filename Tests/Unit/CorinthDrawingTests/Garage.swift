// SPDX-License-Identifier: MIT

import Corinth

protocol Signal: Sendable {}

struct Clock: Sendable, Signal {}

struct Store: Sendable {
  let clock: Clock
}

struct Session: Sendable {
  let store: Store
  let user: String
  let later: Lazy<Report>
  let signals: [any Signal]
}

struct Report: Sendable {}

final class Hen: Sendable {
  init(egg: Egg) {}
}

final class Egg: Sendable {
  init(hen: Hen) {}
}

extension Container {
  /// A container with a dependency of each kind, and one that is missing.
  static func garage() throws -> Container {
    let container = Container()
    let (clocks, stores) =
      ("Garage/Clocks.swift", "Shop/Stores.swift") as (StaticString, StaticString)
    try container.wire(Clock.self, scope: .singleton, using: Clock.init, file: clocks, line: 1)
    try container.forward((any Signal).self, to: Clock.self, file: clocks, line: 2)
    try container.wire(
      Store.self, name: "main", scope: .singleton, using: Store.init, file: stores, line: 3)
    try container.register(
      Store.self, with: .dependsOn(Clock.self), file: stores, line: 4
    ) { resolver in Store(clock: try resolver.resolve()) }
    try container.registerInput(String.self, file: stores, line: 5)
    try container.wire(
      Session.self, scope: .scoped, using: Session.init, file: stores, line: 6)
    try container.register(value: 7, file: clocks, line: 7)
    return container
  }
}
