// SPDX-License-Identifier: MIT

/// The order that a client sends.
struct OrderRequest: Decodable, Sendable {
  struct Line: Decodable, Sendable {
    let item: String
    let quantity: Int
  }

  let lines: [Line]

  /// Refuses what makes no sense.
  func check() throws(RequestError) {
    guard 1...50 ~= lines.count else { throw .badRequest("An order has 1 to 50 lines.") }
    for line in lines where !(1...1_000 ~= line.quantity) {
      throw .badRequest("The quantity of \"\(line.item)\" is not from 1 to 1000.")
    }
  }
}

/// An order that was placed.
package struct Order: Codable, Sendable, Equatable {
  package struct Line: Codable, Sendable, Equatable {
    package let item: String
    package let quantity: Int
    /// In cents, with tax.
    package let price: Int
  }

  package let id: Int
  package let customer: String
  /// Seconds since 1970.
  package let placed: Int
  package let lines: [Line]

  package var total: Int { lines.reduce(0) { $0 + $1.price } }
}

/// A user who has logged in.
package struct Customer: Sendable {
  package let name: String

  /// - Throws: ``RequestError`` with 401 if the user has not.
  package init(user: User) throws {
    guard let name = user.name else { throw RequestError(401, "X-User is missing.") }
    self.name = name
  }
}
