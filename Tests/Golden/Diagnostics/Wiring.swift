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
final class Changing: Sendable {
  init(_ log: inout Log) {}
}
struct Thirteen: Sendable {
  init(
    _ a: Int, _ b: Int, _ c: Int, _ d: Int, _ e: Int, _ f: Int, _ g: Int, _ h: Int, _ i: Int,
    _ j: Int, _ k: Int, _ l: Int, _ m: Int
  ) {}
}
struct Sixteen: Sendable {
  init(
    _ a: Int, _ b: Int, _ c: Int, _ d: Int, _ e: Int, _ f: Int, _ g: Int, _ h: Int, _ i: Int,
    _ j: Int, _ k: Int, _ l: Int, _ m: Int, _ n: Int, _ o: Int, _ p: Int
  ) {}
}
@MainActor final class ViewModel { init(log: Log) {} }
final class Cursor {}

func wire(_ container: Container) throws {
  try container.wire(Pool.self, using: Pool.init)
  try container.wire(Overloaded.self, using: Overloaded.init)
  try container.wire(Variadic.self, using: Variadic.init)
  try container.wire(Changing.self, using: Changing.init)
  try container.wire(Thirteen.self, using: Thirteen.init)
  try container.wire(Sixteen.self, using: Sixteen.init)
  try container.wire(ViewModel.self, using: ViewModel.init)
  try container.wire(Log.self, using: Cursor.init)
  try container.wire(Log.self, using: Lug.init)
  try container.wire(Overloaded.self, using: Overloaded.init(lock:))
  try container.register(value: Cursor())
  try container.register(value: Cursor(), as: Cursor.self)
}

func wireWithArguments(_ container: Container) throws {
  try container.wire(Pool.self, arguments: Log.self, using: Pool.init)
  try container.wire(Variadic.self, arguments: Log.self, using: Variadic.init)
  try container.wire(Thirteen.self, arguments: Int.self, using: Thirteen.init)
  try container.wireAsync(Variadic.self, arguments: Log.self, using: Variadic.init)
  try container.wireAsync(Thirteen.self, arguments: Int.self, using: Thirteen.init)
}

func wireAsync(_ container: Container) throws {
  try container.wireAsync(Variadic.self, using: Variadic.init)
  try container.wireAsync(Changing.self, using: Changing.init)
  try container.wireAsync(Thirteen.self, using: Thirteen.init)
}

func contribute(_ container: Container) throws {
  try container.wire(Pool.self, name: .element(), using: Pool.init)
  try container.wire(Variadic.self, name: .element(), using: Variadic.init)
  try container.wire(Changing.self, name: .element(), using: Changing.init)
  try container.wire(Thirteen.self, name: .element(), using: Thirteen.init)
  try container.wireAsync(Variadic.self, name: .element(), using: Variadic.init)
  try container.wireAsync(Thirteen.self, name: .element(), using: Thirteen.init)
}

// Without a diagnostic.
func wireRightly(_ container: Container) throws {
  try container.wireAsync(Pool.self, using: Pool.init)
  try container.wire(Overloaded.self, using: Overloaded.init(log:))
  try container.wire(Overloaded.self, arguments: Log.self, using: Overloaded.init(log:))
  try container.wireAsync(ViewModel.self, using: ViewModel.init)
  try container.wire(Log.self, name: .element(), using: Log.init)
  try container.wireAsync(Pool.self, name: .element(), using: Pool.init)
  try container.wire(Int.self, using: { (log: Log) in 7 })
  try container.register(uncheckedValue: Cursor())
  try container.register(value: 7)
  try container.register(value: 7, as: (any Sendable).self)
  try container.register(evaluating: 7)
  try container.register(evaluating: 7, as: (any Sendable).self)
}
