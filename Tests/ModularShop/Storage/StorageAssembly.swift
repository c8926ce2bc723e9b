// SPDX-License-Identifier: MIT

package import Corinth

/// Stores in memory, and the changes of a request.
package struct StorageAssembly: Assembly {
  package init() {}

  package var dependencies: [any Assembly] { [ConfigurationAssembly()] }

  package func assemble(container: Container) throws {
    try container.wire(ConnectionPool.self, using: ConnectionPool.init)
      .asSingleton().onDispose { $0.close() }
    try container.wire((any RowStore).self, using: MemoryRowStore.init).asSingleton()
    try container.wire((any RowStore).self, name: Archive.name, using: MemoryRowStore.init)
      .asSingleton()
    try container.wire(RowCache.self, using: RowCache.init).asSingleton()
    try container.wire(UnitOfWork.self, using: UnitOfWork.init)
      .asScoped().onDispose { work, outcome in
        if case .completed = outcome { try work.commit() }
      }
    try container.wire(Migrations.self, using: Migrations.init).asSingleton().eager()
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
