// SPDX-License-Identifier: MIT

// A stand-in: what the manual's glue uses of the package swift-log.

public struct Logger: Sendable {
  public struct Message: ExpressibleByStringInterpolation, Sendable {
    public init(stringLiteral value: String) {}
  }

  public init(label: String) {}

  public func error(_ message: @autoclosure () -> Message) {}
}
