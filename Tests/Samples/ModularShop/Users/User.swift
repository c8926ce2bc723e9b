// SPDX-License-Identifier: MIT

package struct User: Sendable, Equatable {
  let id: Int
  package let name: String
  let email: String
  let passwordHash: Int

  init(id: Int, name: String, email: String, passwordHash: Int) {
    (self.id, self.name, self.email, self.passwordHash) = (id, name, email, passwordHash)
  }

  init?(row: [String]) {
    guard row.count == 4, let id = Int(row[0]), let hash = Int(row[3]) else { return nil }
    self.init(id: id, name: row[1], email: row[2], passwordHash: hash)
  }

  var row: [String] { ["\(id)", name, email, "\(passwordHash)"] }
}

package enum UserError: Error, Equatable {
  case nameTaken(String)
  case wrongPassword
  case unknownToken
}
