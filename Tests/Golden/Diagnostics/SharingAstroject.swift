// SPDX-License-Identifier: MIT
//
// The modifiers of Astroject warn as the scopes do. Corinth's names come with the module.

import AstrojectDialect

final class Counter { var count = 0 }
final class Good: Sendable {}

func share(_ container: Container) throws {
  try container.register(Counter.self) { _ in Counter() }.asSingleton()
  try container.register(Counter.self) { _ in Counter() }.asWeak()
  try container.register(Counter.self) { _ in Counter() }.asScoped()
  try container.register(Counter.self) { _ in Counter() }.asCached(for: .seconds(1))
}

// Without a warning.
func shareRightly(_ container: Container) throws {
  try container.register(Good.self) { (_, id: Int) in Good() }.asSingleton()
  try container.register(Counter.self) { _ in Counter() }.asUnchecked(.weak)
    .asUnchecked(.cached(for: .seconds(1)))
  try container.register(Counter.self) { _ in Counter() }.asGraph()
}

// Through the protocol: the same warnings, for products that are known to be Sendable none.
extension Registrable {
  func share() { asSingleton() }
}
extension Registrable where Product: Sendable {
  func shareRightly() { asSingleton() }
}
func share(_ counter: any Registrable<Counter>, _ good: any Registrable<Good>) {
  counter.asWeak()
  good.asWeak().asCached(for: .seconds(1)).asScoped().asSingleton()
}
