// SPDX-License-Identifier: MIT

/// Says how a part of the service is. Each module contributes its own.
package protocol HealthCheck: Sendable {
  var subject: String { get }
  /// - Throws: an error that describes the fault.
  func check() throws
}

/// The fault that a health check has found.
package struct Unhealthy: Error, CustomStringConvertible {
  package let description: String
}
