// SPDX-License-Identifier: MIT

/// An amount of money, in cents.
package typealias Cents = Int

package struct Order: Sendable, Equatable {
  package let id: Int
  let buyer: Int
  let article: String
  package let total: Cents

  init(id: Int, buyer: Int, article: String, total: Cents) {
    (self.id, self.buyer, self.article, self.total) = (id, buyer, article, total)
  }

  init?(row: [String]) {
    guard row.count == 4, let id = Int(row[0]), let buyer = Int(row[1]), let total = Int(row[3])
    else { return nil }
    self.init(id: id, buyer: buyer, article: row[2], total: total)
  }

  var row: [String] { ["\(id)", "\(buyer)", article, "\(total)"] }
}

package enum OrderError: Error, Equatable {
  case unknownArticle(String)
  case soldOut(String)
  case paymentDeclined(String)
}
