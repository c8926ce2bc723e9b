// SPDX-License-Identifier: MIT

package import HTTP

/// `GET /health`: asks the checks of all modules.
package struct ShowHealth: Handler {
  let checks: [any HealthCheck]
  let uptime: Uptime
  let json: JSON

  package init(checks: [any HealthCheck], uptime: Uptime, json: JSON) {
    self.checks = checks
    self.uptime = uptime
    self.json = json
  }

  package func respond(to request: RoutedRequest) throws -> Response {
    var findings: [String: String] = [:]
    var isHealthy = true
    for check in checks {
      do {
        try check.check()
        findings[check.subject] = "ok"
      } catch {
        isHealthy = false
        findings[check.subject] = "\(error)"
      }
    }
    return try json.response(
      Health(isHealthy: isHealthy, checks: findings, uptime: uptime.seconds),
      status: isHealthy ? 200 : 503)
  }

  private struct Health: Encodable {
    let isHealthy: Bool
    let checks: [String: String]
    let uptime: Int
  }
}

/// Seconds since the service has started.
package final class Uptime: Sendable {
  private let time: any TimeSource
  private let start: Int

  package init(time: any TimeSource) {
    self.time = time
    start = time.now
  }

  package var seconds: Int { time.now - start }
}
