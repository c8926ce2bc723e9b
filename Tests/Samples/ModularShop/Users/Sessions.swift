// SPDX-License-Identifier: MIT

import Synchronization

/// Who is logged in, by token.
final class Sessions: Sendable {
  private let users = Mutex<[String: User]>([:])

  func begin(_ user: User, token: String) { users.withLock { $0[token] = user } }

  func user(of token: String) throws -> User {
    guard let user = users.withLock({ $0[token] }) else { throw UserError.unknownToken }
    return user
  }

  func endAll() { users.withLock { $0 = [:] } }
}

/// Makes tokens that tell the time of the login.
struct Tokens: Sendable {
  let time: any TimeSource
  let hasher: any PasswordHasher

  func token(for user: User) -> String { "\(hasher.hash(user.name))-\(time.now)" }
}
