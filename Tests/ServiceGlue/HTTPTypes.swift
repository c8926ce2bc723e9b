// SPDX-License-Identifier: MIT

// A stand-in: what the manual's glue uses of the package swift-http-types.

public struct HTTPResponse: Sendable {
  public struct Status: Sendable {
    public static let serviceUnavailable = Status()
  }
}
