// SPDX-License-Identifier: MIT

// A stand-in: what the manual's glue uses of the package swift-http-types.

public struct HTTPResponse: Sendable {
  public struct Status: Hashable, Sendable {
    public let code: Int

    public static let unauthorized = Status(code: 401)
    public static let serviceUnavailable = Status(code: 503)
  }
}
