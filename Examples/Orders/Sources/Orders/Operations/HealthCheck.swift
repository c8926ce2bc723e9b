// SPDX-License-Identifier: MIT

/// Reports the health of a part of the service. Modules contribute health checks.
package protocol HealthCheck: Sendable {
  var subject: String { get }
  /// - Throws: an error that describes the fault.
  func check() throws
}

/// The fault that a health check has found.
package struct Unhealthy: Error, CustomStringConvertible {
  package let description: String
}
