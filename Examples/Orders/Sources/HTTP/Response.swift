// SPDX-License-Identifier: MIT

/// An answer to a request.
public struct Response: Sendable {
  /// The status code.
  public var status: Int
  /// The headers. The server adds the length and the date.
  public var headers: [(name: String, value: String)]
  /// The body.
  public var body: [UInt8]

  public init(status: Int, headers: [(name: String, value: String)] = [], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// A response with text.
  ///
  /// - Parameters:
  ///   - status: the status code.
  ///   - text: the body.
  ///   - type: the value of the header `Content-Type`.
  public init(status: Int, text: String, type: String = "text/plain; charset=utf-8") {
    self.init(status: status, headers: [("Content-Type", type)], body: Array(text.utf8))
  }
}
