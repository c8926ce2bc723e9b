// SPDX-License-Identifier: MIT

package import HTTP

/// `GET /metrics`: the metrics of all modules.
package struct ShowMetrics: Handler {
  let sources: [any MetricSource]

  package init(sources: [any MetricSource]) {
    self.sources = sources
  }

  package func respond(to request: RoutedRequest) -> Response {
    var page = MetricsPage()
    for source in sources { source.write(to: &page) }
    return Response(status: 200, text: page.text, type: "text/plain; version=0.0.4; charset=utf-8")
  }
}
