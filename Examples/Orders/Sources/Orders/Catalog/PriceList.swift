// SPDX-License-Identifier: MIT

import SQLite

/// Says what an item costs.
package protocol PriceList: Sendable {
  /// - Returns: the price without tax, in cents; nil for an unknown item.
  func price(of item: String) throws -> Int?
}

/// The prices in the database.
package struct StoredPriceList: PriceList {
  let pool: ConnectionPool

  package init(pool: ConnectionPool) {
    self.pool = pool
  }

  package func price(of item: String) throws -> Int? {
    try pool.read { try $0.integer("SELECT price FROM item WHERE name = ?", .text(item)) }
  }
}

/// Prices given by an operator, in place of the prices in the database.
package struct UploadedPriceList: PriceList {
  let prices: [String: Int]

  package init(prices: [String: Int]) {
    self.prices = prices
  }

  package func price(of item: String) -> Int? { prices[item] }
}
