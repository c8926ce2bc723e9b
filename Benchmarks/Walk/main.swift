// SPDX-License-Identifier: MIT

import Corinth
import Dispatch

// One first resolve, or two, of the kind that the first argument names. `Scripts/count-walk`
// follows the second resolve: what two resolves call beyond the calls of one.

final class First: Sendable {}
final class Second: Sendable {}

let container = Container()
let hasSecond = CommandLine.arguments[2] == "2"
switch CommandLine.arguments[1] {
case "singleton":
  try container.register(First.self, scope: .singleton) { _ in First() }
  try container.register(Second.self, scope: .singleton) { _ in Second() }
  _ = try container.resolve(First.self)
  if hasSecond { _ = try container.resolve(Second.self) }
case "scoped":
  try container.register(First.self, scope: .scoped) { _ in First() }
  let scopes = [container.makeScope(), container.makeScope()]
  _ = try scopes[0].resolve(First.self)
  if hasSecond { _ = try scopes[1].resolve(First.self) }
case "asynchronous":
  try container.registerAsync(First.self, scope: .singleton) { _ in First() }
  try container.registerAsync(Second.self, scope: .singleton) { _ in Second() }
  // The main thread stays: valgrind does not survive its end.
  let end = DispatchSemaphore(value: 0)
  Task.detached {
    _ = try await container.resolveAsync(First.self)
    if hasSecond { _ = try await container.resolveAsync(Second.self) }
    end.signal()
  }
  end.wait()
default:
  fatalError("Walk: no such kind of resolve")
}
