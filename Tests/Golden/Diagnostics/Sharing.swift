// SPDX-License-Identifier: MIT
import Corinth

final class Counter { var count = 0 }
final class Good: Sendable {}
protocol Loose: AnyObject {}
extension Good: Loose {}

func share(_ container: Container) throws {
  try container.register(Counter.self, scope: .singleton) { _ in Counter() }
  try container.register(Counter.self, scope: .weak) { _ in Counter() }
  try container.register(Counter.self, scope: .scoped) { _ in Counter() }
  try container.register(Counter.self, scope: .cached(for: .seconds(1))) { _ in Counter() }
  try container.register((any Loose).self, scope: .singleton) { _ in Good() }
  try container.register(Counter.self) { _ in Counter() }.as(.singleton)
  try container.register(Counter.self) { _ in Counter() }.as(.weak)
  try container.register(Counter.self) { _ in Counter() }.as(.scoped)
  try container.register(Counter.self) { _ in Counter() }.as(.cached(for: .seconds(1)))
}

// Without a warning.
func shareRightly(_ container: Container, _ flag: Bool) throws {
  try container.register(Good.self, scope: .singleton) { _ in Good() }
  try container.register(Good.self, scope: flag ? .singleton : .transient) { _ in Good() }
  try container.register((any Loose & Sendable).self, scope: .weak) { _ in Good() }
  try container.register(Good.self) { (_, id: Int) in Good() }.as(.singleton)
  try container.register(Counter.self, scope: .unchecked(.singleton)) { _ in Counter() }
  try container.register(Counter.self) { _ in Counter() }.as(.unchecked(.weak))
    .as(.unchecked(.cached(for: .seconds(1))))
  try container.register(Counter.self, scope: .graph) { _ in Counter() }
  try container.register(Counter.self) { _ in Counter() }.as(.graph)
}
