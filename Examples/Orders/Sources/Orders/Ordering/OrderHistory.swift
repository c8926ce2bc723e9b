// SPDX-License-Identifier: MIT

import SQLite

/// Reads the orders of one customer, while orders are written.
package struct OrderHistory: Sendable {
  let pool: ConnectionPool
  let customer: Customer

  package init(pool: ConnectionPool, customer: Customer) {
    self.pool = pool
    self.customer = customer
  }

  func order(_ id: Int) throws -> Order? {
    try pool.read { connection in
      let placed = try connection.integer(
        "SELECT placed FROM placed_order WHERE id = ? AND customer = ?",
        .integer(id), .text(customer.name))
      guard let placed else { return nil }
      return Order(
        id: id, customer: customer.name, placed: placed, lines: try lines(of: id, connection))
    }
  }

  /// The orders placed after a given order.
  func orders(after id: Int, limit: Int) throws -> [Order] {
    try pool.read { connection in
      let placed = try connection.rows(
        "SELECT id, placed FROM placed_order WHERE customer = ? AND id > ? ORDER BY id LIMIT ?",
        .text(customer.name), .integer(id), .integer(limit)
      ) { (id: $0.integer(0), at: $0.integer(1)) }
      return try placed.map {
        Order(
          id: $0.id, customer: customer.name, placed: $0.at, lines: try lines(of: $0.id, connection)
        )
      }
    }
  }

  private func lines(of id: Int, _ connection: Connection) throws -> [Order.Line] {
    try connection.rows(
      "SELECT item, quantity, price FROM order_line WHERE placed_order = ? ORDER BY number",
      .integer(id)
    ) { Order.Line(item: $0.text(0), quantity: $0.integer(1), price: $0.integer(2)) }
  }
}
