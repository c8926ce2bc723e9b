// SPDX-License-Identifier: MIT

import Glibc

/// An address could not be listened on, or its connections could not be refused.
public struct ServerError: Error, CustomStringConvertible {
  /// The step that failed.
  public enum Step: String, Sendable {
    case listening = "listen on"
    case refusing = "refuse connections to"
  }

  public let step: Step
  public let address: String
  public let port: UInt16
  /// The error code of the system.
  public let code: Int32

  init(_ step: Step, address: String, port: UInt16, code: Int32) {
    self.step = step
    self.address = address
    self.port = port
    self.code = code
  }

  public var description: String {
    "Cannot \(step.rawValue) \(address):\(port): \(unsafe String(cString: strerror(code)))."
  }
}
