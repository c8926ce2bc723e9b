// SPDX-License-Identifier: MIT

/// The worker keeps up.
package struct OutboxCheck: HealthCheck {
  let queue: OutboxQueue
  package var subject: String { "outbox" }

  package init(queue: OutboxQueue) {
    self.queue = queue
  }

  package func check() throws {
    let waiting = try queue.count()
    if waiting > 100_000 { throw Unhealthy(description: "\(waiting) letters wait") }
  }
}

package struct MailMetrics: MetricSource {
  let counters: MailCounters

  package init(counters: MailCounters) {
    self.counters = counters
  }

  package func write(to page: inout MetricsPage) {
    page.begin("orders_letters_total", .counter, "Letters by what has become of them.")
    page.sample("orders_letters_total", ["outcome": "sent"], counters.sent.value)
    page.sample("orders_letters_total", ["outcome": "failed"], counters.failed.value)
  }
}
