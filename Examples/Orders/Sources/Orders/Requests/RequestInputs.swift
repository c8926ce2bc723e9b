// SPDX-License-Identifier: MIT

package import HTTP

/// Names a request in logs, in the audit trail, and in the response.
package struct RequestID: Sendable, Equatable {
  package let text: String

  package init(text: String) {
    self.text = text
  }

  /// The name in the request's header `X-Request-ID`, if present.
  package init?(of request: Request) throws(RequestError) {
    guard let text = try request.word("X-Request-ID") else { return nil }
    self.text = text
  }
}

/// The user who makes a request, named by a gateway in front of the service in the header `X-User`.
package struct User: Sendable, Equatable {
  /// Nil without a login.
  package let name: String?

  package init(name: String?) {
    self.name = name
  }

  package init(of request: Request) throws(RequestError) {
    name = try request.word("X-User")
  }
}

extension Request {
  /// The value of a header that goes into logs and tables.
  fileprivate func word(_ header: String) throws(RequestError) -> String? {
    let values = self.values(of: header)
    guard let text = values.first else { return nil }
    // The first may be the client's, and the second one the gateway's.
    if values.count > 1 { throw .badRequest("There is more than one \(header).") }
    let allowed = text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "_"), UInt8(ascii: "@"):
        true
      default: false
      }
    }
    guard allowed, 1...64 ~= text.utf8.count else {
      throw .badRequest("\(header) has 1 to 64 letters, digits and -._@.")
    }
    return text
  }
}
