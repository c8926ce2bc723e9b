// SPDX-License-Identifier: MIT

package import Corinth

/// Accounts, sessions, and who makes a request.
package struct UsersAssembly: Assembly {
  package init() {}

  package var dependencies: [any Assembly] { [ConfigurationAssembly(), StorageAssembly()] }

  package func assemble(container: Container) throws {
    try container.wire((any UserRepository).self, scope: .singleton, using: StoredUsers.init)
    // The journal is the outermost: it shows what callers ask for, not what the cache lets through.
    try container.decorate((any UserRepository).self) { users, resolver in
      CachedUsers(decorated: users, cache: try resolver.resolve())
    }
    try container.decorate((any UserRepository).self) { users, resolver in
      JournaledUsers(decorated: users, journal: try resolver.resolve())
    }
    try container.wire((any PasswordHasher).self, using: SaltedHasher.init)
    try container.register(value: PasswordRules(), as: PasswordRules.self)
    try container.wire(Tokens.self, using: Tokens.init)
    try container.wire(
      Sessions.self, scope: .singleton, with: .onDispose { $0.endAll() }, using: Sessions.init)
    try container.wire(Accounts.self, scope: .singleton, using: Accounts.init)
    try container.wire(CurrentUser.self, scope: .scoped, using: CurrentUser.init)
    try container.contribute(to: Migration.self) { resolver in
      let hasher = try resolver.resolve((any PasswordHasher).self)
      let operatorAccount = User(
        id: 0, name: "operator", email: "operator@shop.test", passwordHash: hasher.hash("secret"))
      return Migration(name: "users", rows: ["users/operator": operatorAccount.row])
    }
    try container.wire((any HealthCheck).self, name: .element(), using: OperatorCheck.init)
  }
}

private struct OperatorCheck: HealthCheck {
  let users: any UserRepository
  var subject: String { "operator account" }
  var isHealthy: Bool { (try? users.user(named: "operator")) != nil }
}
