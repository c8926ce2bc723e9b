// SPDX-License-Identifier: MIT

/// Says how a part of the service is. Each module contributes its own.
package protocol HealthCheck: Sendable {
  var subject: String { get }
  /// - Throws: what is wrong.
  func check() throws
}

/// What a health check finds.
package struct Unhealthy: Error, CustomStringConvertible {
  package let description: String
}
