// SPDX-License-Identifier: MIT

package import Corinth

/// Stores in memory, and the changes of a request.
package struct StorageAssembly: Assembly {
  package init() {}

  package var dependencies: [any Assembly] { [ConfigurationAssembly()] }

  package func assemble(container: Container) throws {
    try container.wire(
      ConnectionPool.self, scope: .singleton, with: .onDispose { $0.close() },
      using: ConnectionPool.init)
    try container.wire((any RowStore).self, scope: .singleton, using: MemoryRowStore.init)
    try container.wire(
      (any RowStore).self, name: Archive.name, scope: .singleton, using: MemoryRowStore.init)
    try container.wire(RowCache.self, scope: .singleton, using: RowCache.init)
    try container.wire(UnitOfWork.self, scope: .scoped, using: UnitOfWork.init)
      .onDispose { work, outcome in
        if case .completed = outcome { try work.commit() }
      }
    try container.wire(Migrations.self, scope: .singleton, using: Migrations.init).eager()
    try container.contribute(to: Migration.self, value: Migration(name: "storage", rows: [:]))
    try container.wire((any HealthCheck).self, name: .element(), using: PoolCheck.init)
    try container.wire((any HealthCheck).self, name: .element(), using: StoreCheck.init)
  }
}

private struct PoolCheck: HealthCheck {
  let pool: ConnectionPool
  var subject: String { "pool" }
  var isHealthy: Bool { !pool.isClosed }
}

private struct StoreCheck: HealthCheck {
  let store: any RowStore
  var subject: String { "store" }
  var isHealthy: Bool { (try? store.rows(under: "health")) != nil }
}
