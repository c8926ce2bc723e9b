// SPDX-License-Identifier: MIT

import SQLite

/// The quantity of every item.
package protocol Stock: Sendable {
  /// - Throws: ``RequestError`` if there are not as many left.
  func take(_ quantity: Int, of item: String) throws
}

/// The stock in the database, changed within the request's unit of work.
package struct StoredStock: Stock {
  let work: UnitOfWork

  package init(work: UnitOfWork) {
    self.work = work
  }

  package func take(_ quantity: Int, of item: String) throws {
    try work.perform { connection in
      try connection.run(
        "UPDATE item SET stock = stock - ?1 WHERE name = ?2 AND stock >= ?1",
        .integer(quantity), .text(item))
      guard connection.changes == 1 else {
        throw RequestError(409, "There are not \(quantity) of \"\(item)\" left.")
      }
    }
  }
}
