// SPDX-License-Identifier: MIT

/// Prepares the store for a module.
package struct Migration: Sendable {
  let name: String
  let rows: [String: [String]]
}

/// Applies the migrations of all modules when the service starts.
final class Migrations: Sendable {
  let applied: [String]

  init(store: any RowStore, migrations: [Migration], journal: Journal) throws {
    for migration in migrations {
      try store.write(migration.rows)
      journal.note("migrated \(migration.name)")
    }
    applied = migrations.map(\.name)
  }
}
