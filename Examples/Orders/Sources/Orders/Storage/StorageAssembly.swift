// SPDX-License-Identifier: MIT

package import Corinth

/// The database, and the unit of work of a request.
package struct StorageAssembly: Assembly {
  package init() {}

  package var dependencies: [any Assembly] { [ConfigurationAssembly()] }

  package func assemble(container: Container) throws {
    try container.wireAsync(
      ConnectionPool.self, scope: .singleton, with: .eager.onDispose { try $0.close() },
      using: ConnectionPool.open)
    try container.wire(
      UnitOfWork.self, scope: .scoped,
      with: .onDispose { work, outcome in
        // Without a commit there is no response that says so: a failing disposer fails the request.
        if case .completed = outcome { try work.commit() } else { try work.rollBack() }
      },
      using: UnitOfWork.init)
    try container.wire(StorageCounters.self, scope: .singleton, using: StorageCounters.init)
    try container.wire((any HealthCheck).self, name: .element(), using: DatabaseCheck.init)
    try container.wire((any MetricSource).self, name: .element(), using: StorageMetrics.init)
  }
}
