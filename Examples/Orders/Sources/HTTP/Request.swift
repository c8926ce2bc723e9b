// SPDX-License-Identifier: MIT

/// A request that has been received completely.
public struct Request: Sendable {
  /// The method, in upper case.
  public let method: String
  /// The path, decoded, without the query.
  public let path: String
  /// The parameters of the query, decoded, in their order. A parameter without a value has an empty
  /// value.
  public let query: [(name: String, value: String)]
  /// The headers, in their order.
  public let headers: [(name: String, value: String)]
  /// The body; empty if there is none.
  public let body: [UInt8]

  /// A request that no connection has brought, for tests.
  public init(
    method: String, path: String, query: [(name: String, value: String)] = [],
    headers: [(name: String, value: String)] = [], body: [UInt8] = []
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.headers = headers
    self.body = body
  }

  /// The first header of a name, in upper or lower case.
  public func header(_ name: String) -> String? {
    headers.first { $0.name.isSameHeader(as: name) }?.value
  }

  /// The values of all headers of a name, in upper or lower case.
  public func values(of name: String) -> [String] {
    headers.filter { $0.name.isSameHeader(as: name) }.map(\.value)
  }
}

extension String {
  /// Whether the texts are equal without regard to the case of ASCII letters.
  fileprivate func isSameHeader(as other: String) -> Bool {
    utf8.count == other.utf8.count
      && zip(utf8, other.utf8).allSatisfy { $0.inLowerCase == $1.inLowerCase }
  }
}

extension UInt8 {
  fileprivate var inLowerCase: UInt8 {
    UInt8(ascii: "A")...UInt8(ascii: "Z") ~= self ? self | 0x20 : self
  }
}
