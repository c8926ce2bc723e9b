// SPDX-License-Identifier: MIT

/// All health checks as one answer.
package struct Health: Sendable {
  let checks: [any HealthCheck]

  package var failing: [String] { checks.filter { !$0.isHealthy }.map(\.subject) }
  package var subjects: [String] { checks.map(\.subject) }
}
