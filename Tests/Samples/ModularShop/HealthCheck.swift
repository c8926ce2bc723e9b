// SPDX-License-Identifier: MIT

/// Says how a part of the service is. Each module adds its own.
package protocol HealthCheck: Sendable {
  var subject: String { get }
  var isHealthy: Bool { get }
}
