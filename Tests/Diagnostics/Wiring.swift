// SPDX-License-Identifier: MIT
// flags: -enable-upcoming-feature InferSendableFromCaptures
import Corinth

final class Log: Sendable {}
final class Pool: Sendable {
  init(log: Log) async throws {}
}
final class Overloaded: Sendable {
  init(log: Log) {}
  init(pool: Pool) {}
}
final class Variadic: Sendable {
  init(_ logs: Log...) {}
}
@MainActor final class ViewModel { init(log: Log) {} }
final class Cursor {}

func wire(_ container: Container) throws {
  try container.register(Pool.self, using: Pool.init)
  try container.register(Overloaded.self, using: Overloaded.init)
  try container.register(Variadic.self, using: Variadic.init)
  try container.register(ViewModel.self, using: ViewModel.init)
  try container.register(value: Cursor())
  try container.register(Cursor.self, value: Cursor())
}

// Without a diagnostic.
func wireRightly(_ container: Container) throws {
  try container.registerAsync(Pool.self, using: Pool.init)
  try container.register(Overloaded.self, using: Overloaded.init(log:))
  try container.registerAsync(ViewModel.self, using: ViewModel.init)
  try container.register(uncheckedValue: Cursor())
  try container.register(value: 7)
  try container.register((any Sendable).self, value: 7)
}
