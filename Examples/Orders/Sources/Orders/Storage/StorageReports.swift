// SPDX-License-Identifier: MIT

import SQLite

/// The database answers.
package struct DatabaseCheck: HealthCheck {
  let pool: ConnectionPool
  package var subject: String { "database" }

  package init(pool: ConnectionPool) {
    self.pool = pool
  }

  package func check() throws {
    _ = try pool.read { try $0.integer("SELECT 1") }
  }
}

package struct StorageMetrics: MetricSource {
  let counters: StorageCounters

  package init(counters: StorageCounters) {
    self.counters = counters
  }

  package func write(to page: inout MetricsPage) {
    page.counter("orders_commits_total", "Units of work committed.", counters.commits.value)
    page.counter(
      "orders_rollbacks_total", "Units of work rolled back.", counters.rollbacks.value)
  }
}
