// SPDX-License-Identifier: MIT

package import SQLite

/// Tables that a module needs. Modules contribute migrations.
package struct Migration: Sendable {
  package let name: String
  package let sql: String

  package init(_ name: String, _ sql: String) {
    self.name = name
    self.sql = sql
  }

  /// Applies the migrations that the database has not seen, in one transaction.
  package static func apply(
    _ migrations: [Migration], to connection: Connection, log: any Log
  ) throws {
    try connection.execute("CREATE TABLE IF NOT EXISTS migration(name TEXT PRIMARY KEY)")
    try connection.execute("BEGIN IMMEDIATE")
    do {
      let applied = try connection.rows("SELECT name FROM migration") { $0.text(0) }
      for migration in migrations where !applied.contains(migration.name) {
        try connection.execute(migration.sql)
        try connection.run("INSERT INTO migration VALUES(?)", .text(migration.name))
        log.write("migrated \(migration.name)")
      }
      try connection.execute("COMMIT")
    } catch {
      try? connection.execute("ROLLBACK")
      throw error
    }
  }
}
