// SPDX-License-Identifier: MIT

import Corinth
import Logging

/// A start that fails, and cannot be undone.
@main
struct Driver {
  struct NoConnection: Error {}
  struct NotClosed: Error {}

  static func main() async throws {
    let container = Container()
    try container.register(Int.self, scope: .singleton) { _ in 1 }.eager()
      .onDispose { _ in throw NotClosed() }
    try container.register(String.self, scope: .singleton) { _ in throw NoConnection() }.eager()
    do {
      try await run([], with: container)
      preconditionFailure("it has started")
    } catch {
      precondition(error.cause(as: NoConnection.self) != nil, "\(error)")
    }
    let log = Logger.takeTexts().joined(separator: "\n")
    precondition(log.contains("NotClosed"), log)
  }
}
