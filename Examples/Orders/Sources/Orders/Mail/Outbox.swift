// SPDX-License-Identifier: MIT

import SQLite

/// Writes letters in the transaction of their order: an order that was rolled back sends no letter,
/// and no letter is lost when the service ends.
package struct Outbox: Sendable {
  let work: UnitOfWork

  package init(work: UnitOfWork) {
    self.work = work
  }

  func add(_ message: Message) throws {
    try work.perform { connection in
      try connection.run(
        "INSERT INTO outbox(recipient, text) VALUES(?, ?)",
        .text(message.recipient), .text(message.text))
    }
  }
}

/// The letters that were not sent yet.
package struct OutboxQueue: Sendable {
  let pool: ConnectionPool

  package init(pool: ConnectionPool) {
    self.pool = pool
  }

  /// - Parameter number: the number of the last letter that is not wanted again.
  func next(_ limit: Int, after number: Int) throws -> [(number: Int, message: Message)] {
    try pool.read { connection in
      try connection.rows(
        "SELECT number, recipient, text FROM outbox WHERE number > ? ORDER BY number LIMIT ?",
        .integer(number), .integer(limit)
      ) { ($0.integer(0), Message(recipient: $0.text(1), text: $0.text(2))) }
    }
  }

  func remove(_ numbers: [Int]) throws {
    if numbers.isEmpty { return }
    try pool.write { connection in
      for number in numbers {
        try connection.run("DELETE FROM outbox WHERE number = ?", .integer(number))
      }
    }
  }

  func count() throws -> Int {
    try pool.read { try $0.integer("SELECT count(*) FROM outbox") } ?? 0
  }
}

extension Migration {
  package static let outbox = Migration(
    "outbox",
    """
    CREATE TABLE outbox(
      number INTEGER PRIMARY KEY AUTOINCREMENT, recipient TEXT NOT NULL, text TEXT NOT NULL);
    """)
}
