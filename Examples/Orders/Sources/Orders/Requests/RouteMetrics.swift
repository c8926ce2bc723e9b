// SPDX-License-Identifier: MIT

/// Counts the requests of a route, by status and by duration.
package struct RouteMetrics: Sendable {
  /// In microseconds.
  private static let bounds = [100, 250, 500, 1_000, 2_500, 5_000, 10_000, 50_000, 250_000]

  private let byStatus = (1...5).map { _ in Counter() }
  private let byDuration = (0...bounds.count).map { _ in Counter() }
  private let microseconds = Counter()

  package init() {}

  func add(status: Int, duration: Duration) {
    let (seconds, attoseconds) = duration.components
    let duration = Int(seconds) * 1_000_000 + Int(attoseconds / 1_000_000_000_000)
    byStatus[min(max(status / 100, 1), 5) - 1].add()
    byDuration[Self.bounds.firstIndex { duration <= $0 } ?? Self.bounds.count].add()
    microseconds.add(duration)
  }

  func writeCounts(of route: String, to page: inout MetricsPage) {
    for (index, count) in byStatus.enumerated() where count.value > 0 {
      page.sample(
        "http_requests_total", ["route": route, "status": "\(index + 1)xx"], count.value)
    }
  }

  func writeDurations(of route: String, to page: inout MetricsPage) {
    var sum = 0
    for (index, count) in byDuration.enumerated() {
      sum += count.value
      let bound =
        index < Self.bounds.count ? "\(Double(Self.bounds[index]) / 1_000_000)" : "+Inf"
      page.sample("http_request_seconds_bucket", ["route": route, "le": bound], sum)
    }
    page.sample(
      "http_request_seconds_sum", ["route": route], Double(microseconds.value) / 1_000_000)
    page.sample("http_request_seconds_count", ["route": route], sum)
  }
}

/// The counts of all routes.
package struct RequestMetrics: MetricSource {
  private let routes: [(name: String, metrics: RouteMetrics)]

  package init<Scope>(router: Router<Scope>) {
    routes =
      router.routes.map { ("\($0.method) \($0.path)", $0.metrics) } + [("none", router.unrouted)]
  }

  package func write(to page: inout MetricsPage) {
    page.begin("http_requests_total", .counter, "Requests by route and status.")
    for route in routes { route.metrics.writeCounts(of: route.name, to: &page) }
    page.begin("http_request_seconds", .histogram, "Durations of requests by route.")
    for route in routes { route.metrics.writeDurations(of: route.name, to: &page) }
  }
}
