// SPDX-License-Identifier: MIT

import SQLite

/// Writes orders within the request's unit of work.
package protocol OrderStore: Sendable {
  func add(_ lines: [Order.Line], for customer: Customer) throws -> Order
}

package struct StoredOrders: OrderStore {
  let work: UnitOfWork
  let time: any TimeSource

  package init(work: UnitOfWork, time: any TimeSource) {
    self.work = work
    self.time = time
  }

  package func add(_ lines: [Order.Line], for customer: Customer) throws -> Order {
    let now = time.now
    return try work.perform { connection in
      try connection.run(
        "INSERT INTO placed_order(customer, placed) VALUES(?, ?)",
        .text(customer.name), .integer(now))
      let id = connection.lastRowID
      for (number, line) in lines.enumerated() {
        try connection.run(
          "INSERT INTO order_line VALUES(?, ?, ?, ?, ?)",
          .integer(id), .integer(number), .text(line.item), .integer(line.quantity),
          .integer(line.price))
      }
      return Order(id: id, customer: customer.name, placed: now, lines: lines)
    }
  }
}

extension Migration {
  package static let orders = Migration(
    "orders",
    """
    CREATE TABLE placed_order(
      id INTEGER PRIMARY KEY AUTOINCREMENT, customer TEXT NOT NULL, placed INTEGER NOT NULL);
    CREATE INDEX order_of_customer ON placed_order(customer, id);
    CREATE TABLE order_line(
      placed_order INTEGER NOT NULL REFERENCES placed_order, number INTEGER NOT NULL,
      item TEXT NOT NULL, quantity INTEGER NOT NULL, price INTEGER NOT NULL,
      PRIMARY KEY(placed_order, number)) WITHOUT ROWID;
    CREATE TABLE audit(
      request TEXT NOT NULL, customer TEXT NOT NULL, deed TEXT NOT NULL, time INTEGER NOT NULL);
    """)
}
