// SPDX-License-Identifier: MIT

package import Corinth

/// The database, and the unit of work of a request.
package struct StorageAssembly: Assembly {
  package init() {}

  package var dependencies: [any Assembly] { [ConfigurationAssembly()] }

  package func assemble(container: Container) throws {
    try container.registerAsync(ConnectionPool.self, using: ConnectionPool.open)
      .asSingleton().eager().onDispose { try $0.close() }
    try container.register(UnitOfWork.self, using: UnitOfWork.init).asScoped()
      .onDispose { work, outcome in
        // Without a commit there is no response that says so: a failing disposer fails the request.
        if case .completed = outcome { try work.commit() } else { try work.rollBack() }
      }
    try container.register(StorageCounters.self, using: StorageCounters.init).asSingleton()
    try container.register((any HealthCheck).self, name: "database", using: DatabaseCheck.init)
    try container.register((any MetricSource).self, name: "storage", using: StorageMetrics.init)
  }
}
