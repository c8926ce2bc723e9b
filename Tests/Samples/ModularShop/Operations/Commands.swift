// SPDX-License-Identifier: MIT

import Corinth

/// What an operator can ask for.
package protocol OperatorCommand: Sendable {
  var word: String { get }
  func answer() throws -> String
}

struct HealthCommand: OperatorCommand {
  let health: Provider<Health>
  var word: String { "health" }

  func answer() throws -> String {
    let failing = try health().failing
    return failing.isEmpty ? "all healthy" : "failing: \(failing.joined(separator: ", "))"
  }
}

struct UsersCommand: OperatorCommand {
  let users: any UserRepository
  var word: String { "users" }

  func answer() throws -> String { try users.all().map(\.name).joined(separator: ", ") }
}

struct ServedCommand: OperatorCommand {
  let pool: ConnectionPool
  var word: String { "served" }

  func answer() -> String { "\(pool.served > 0)" }
}

/// Finds the command for a word.
package struct OperatorConsole: Sendable {
  let commands: [any OperatorCommand]

  package func answer(_ word: String) throws -> String {
    guard let command = commands.first(where: { $0.word == word }) else {
      return "commands: \(commands.map(\.word).sorted().joined(separator: ", "))"
    }
    return try command.answer()
  }
}
