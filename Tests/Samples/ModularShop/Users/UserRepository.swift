// SPDX-License-Identifier: MIT

package protocol UserRepository: Sendable {
  func user(named name: String) throws -> User?
  func add(_ user: User) throws
  func all() throws -> [User]
}

final class StoredUsers: UserRepository {
  private let store: any RowStore

  init(store: any RowStore) {
    self.store = store
  }

  func user(named name: String) throws -> User? {
    try store.row("users/\(name)").flatMap(User.init(row:))
  }

  func add(_ user: User) throws { try store.write(["users/\(user.name)": user.row]) }

  func all() throws -> [User] { try store.rows(under: "users/").compactMap(User.init(row:)) }
}

/// Decorates: users that were found once are not looked for again.
struct CachedUsers: UserRepository {
  let decorated: any UserRepository
  let cache: RowCache

  func user(named name: String) throws -> User? {
    try cache.row("users/\(name)") { try decorated.user(named: name)?.row }
      .flatMap(User.init(row:))
  }

  func add(_ user: User) throws { try decorated.add(user) }
  func all() throws -> [User] { try decorated.all() }
}

/// Decorates: the journal shows who has been added.
struct JournaledUsers: UserRepository {
  let decorated: any UserRepository
  let journal: Journal

  func user(named name: String) throws -> User? { try decorated.user(named: name) }
  func all() throws -> [User] { try decorated.all() }

  func add(_ user: User) throws {
    try decorated.add(user)
    journal.note("user \(user.id) is \(user.name)")
  }
}
