// SPDX-License-Identifier: MIT

import SQLite

/// There is something to sell.
package struct CatalogCheck: HealthCheck {
  let pool: ConnectionPool
  package var subject: String { "catalog" }

  package init(pool: ConnectionPool) {
    self.pool = pool
  }

  package func check() throws {
    let items = try pool.read { try $0.integer("SELECT count(*) FROM item") }
    if items == 0 { throw Unhealthy(description: "there are no items") }
  }
}

package struct PriceMetrics: MetricSource {
  let counters: PriceCounters

  package init(counters: PriceCounters) {
    self.counters = counters
  }

  package func write(to page: inout MetricsPage) {
    page.begin("orders_price_lookups_total", .counter, "Prices asked for.")
    page.sample("orders_price_lookups_total", ["cache": "hit"], counters.hits.value)
    page.sample("orders_price_lookups_total", ["cache": "miss"], counters.misses.value)
  }
}

extension Migration {
  /// The items, the prices without tax in cents, and the quantities in stock.
  package static let catalog = Migration(
    "catalog",
    """
    CREATE TABLE item(
      name TEXT PRIMARY KEY, price INTEGER NOT NULL, stock INTEGER NOT NULL) WITHOUT ROWID;
    INSERT INTO item VALUES
      ('book', 2000, 1000000000), ('atlas', 6000, 1000000000), ('pen', 300, 1000000000),
      ('globe', 12000, 3);
    """)
}
