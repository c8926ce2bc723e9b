// SPDX-License-Identifier: MIT

/// Signs up and logs in.
package final class Accounts: Sendable {
  private let users: any UserRepository
  private let identifiers: Identifiers
  private let hasher: any PasswordHasher
  private let rules: PasswordRules
  private let tokens: Tokens
  private let sessions: Sessions

  init(
    users: any UserRepository, identifiers: Identifiers, hasher: any PasswordHasher,
    rules: PasswordRules, tokens: Tokens, sessions: Sessions
  ) {
    (self.users, self.identifiers, self.hasher) = (users, identifiers, hasher)
    (self.rules, self.tokens, self.sessions) = (rules, tokens, sessions)
  }

  package func signUp(_ name: String, email: String, password: String) throws {
    guard rules.accepts(password) else { throw UserError.wrongPassword }
    if try users.user(named: name) != nil { throw UserError.nameTaken(name) }
    try users.add(
      User(
        id: identifiers.next(), name: name, email: email, passwordHash: hasher.hash(password)))
  }

  /// - Returns: a token for requests.
  package func logIn(_ name: String, password: String) throws -> String {
    guard let user = try users.user(named: name), user.passwordHash == hasher.hash(password)
    else { throw UserError.wrongPassword }
    let token = tokens.token(for: user)
    sessions.begin(user, token: token)
    return token
  }
}
