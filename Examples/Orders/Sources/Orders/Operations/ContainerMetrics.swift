// SPDX-License-Identifier: MIT

import Corinth

/// The constructions of the container: the number, the failures and the time for every key.
package struct ContainerMetrics: MetricSource {
  let behavior: MetricsBehavior

  package func write(to page: inout MetricsPage) {
    let entries = behavior.snapshot().sorted { "\($0.key)" < "\($1.key)" }
    page.begin("corinth_constructions_total", .counter, "Instances built.")
    for entry in entries where entry.constructions > 0 {
      page.sample(
        "corinth_constructions_total", ["key": "\(entry.key)"], entry.constructions)
    }
    page.begin("corinth_construction_seconds_total", .counter, "Time of all constructions.")
    for entry in entries where entry.constructions > 0 {
      page.sample(
        "corinth_construction_seconds_total", ["key": "\(entry.key)"],
        entry.constructionTime / .seconds(1))
    }
    page.begin("corinth_failures_total", .counter, "Resolves that have failed.")
    for entry in entries where entry.failures > 0 {
      page.sample("corinth_failures_total", ["key": "\(entry.key)"], entry.failures)
    }
  }
}
