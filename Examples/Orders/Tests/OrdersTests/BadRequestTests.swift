// SPDX-License-Identifier: MIT

import Corinth
import Orders
import Testing

/// A request that makes no sense is the client's error, and says why.
struct BadRequestTests {
  struct Case: Sendable {
    let request: String
    var headers = ["X-User": "ada"]
    var body = ""
    let status: Int
    let says: String

    var description: String { "\(request) \(body.prefix(40))" }
  }

  static let cases = [
    Case(request: "GET /nothing", status: 404, says: "nothing at /nothing"),
    Case(request: "DELETE /orders", status: 405, says: "/orders takes GET, HEAD, POST"),
    Case(request: "GET /orders/one", status: 400, says: "not an order number"),
    Case(request: "GET /orders/99999999999999999999", status: 400, says: "not an order number"),
    Case(request: "GET /price/pen%00cil", status: 400, says: "contains %00"),
    Case(request: "GET /price/pen?quantity=1%000", status: 400, says: "contains %00"),
    Case(request: "GET /orders/7", status: 404, says: "no order 7"),
    Case(request: "GET /orders?limit=0", status: 400, says: "limit is a number from 1 to 100"),
    Case(request: "GET /orders?after=-1", status: 400, says: "after is a number"),
    Case(request: "GET /orders", headers: [:], status: 401, says: "X-User is missing"),
    Case(request: "GET /price/moon", status: 404, says: "no item"),
    Case(request: "GET /price/book?quantity=", status: 400, says: "quantity is a number"),
    Case(
      request: "GET /health", headers: ["X-User": "ada lovelace"], status: 400, says: "X-User has"),
    Case(
      request: "GET /health", headers: ["X-Request-ID": String(repeating: "x", count: 65)],
      status: 400, says: "X-Request-ID has"),
    Case(request: "POST /orders", status: 400, says: "no JSON"),
    Case(request: "POST /orders", body: "{", status: 400, says: "no JSON"),
    Case(request: "POST /orders", body: "\u{0}\u{1}", status: 400, says: "no JSON"),
    Case(request: "POST /orders", body: "[]", status: 400, says: "The body is no"),
    Case(request: "POST /orders", body: "{}", status: 400, says: #"lacks \"lines\""#),
    Case(request: "POST /orders", body: #"{"lines":[]}"#, status: 400, says: "1 to 50 lines"),
    Case(
      request: "POST /orders", body: #"{"lines":[{"item":"book","quantity":"two"}]}"#,
      status: 400, says: "lines.[0].quantity is no Int"),
    Case(
      request: "POST /orders", body: #"{"lines":[{"item":"book","quantity":1.5}]}"#,
      status: 400, says: "a number in it does not fit"),
    Case(
      request: "POST /orders", body: #"{"lines":[{"item":"book","quantity":0}]}"#,
      status: 400, says: "not from 1 to 1000"),
    Case(
      request: "POST /orders", body: #"{"lines":[{"item":"moon","quantity":1}]}"#,
      status: 404, says: "no item"),
    Case(
      request: "POST /orders", headers: [:], body: #"{"lines":[{"item":"book","quantity":1}]}"#,
      status: 401, says: "X-User is missing"),
    Case(
      request: "POST /orders", body: String(repeating: " ", count: 70_000), status: 413,
      says: "more than 65536 bytes"),
    Case(request: "PUT /admin/price-list", status: 403, says: "token"),
    Case(
      request: "PUT /admin/price-list",
      headers: ["Authorization": "Bearer \(RunningService.token)"], body: #"{"book":-1}"#,
      status: 400, says: "0 or more"),
  ]

  @Test func aMethodThatIsNotTakenIsAnsweredWithThoseThatAre() async throws {
    try await RunningService.run { service in
      let response = try service.send("DELETE", "/orders")
      #expect(response.status == 405)
      #expect(response.headers["allow"] == "GET, HEAD, POST")
      #expect(try service.send("GET", "/orders").headers["allow"] == nil)
    }
  }

  /// A gateway that adds its header to the client's must not let the client choose.
  @Test func aHeaderThatSaysWhoTheUserIsComesOnce() async throws {
    try await RunningService.run { service in
      for name in ["X-User", "X-Request-ID"] {
        let response = try service.send(
          "GET", "/orders", headers: [name: "eve", name.lowercased(): "ada"])
        #expect(response.status == 400)
        #expect(response.body.contains("There is more than one \(name)."), "\(response.body)")
      }
    }
  }

  @Test(arguments: [
    ("Content-Length: 5", "Content-Length: 2"), ("Content-Length: 5", "Transfer-Encoding: chunked"),
    ("Content-Length: 5, 5", "Transfer-Encoding: chunked"),
    ("Transfer-Encoding: chunked", "Transfer-Encoding: identity"),
  ])
  func aBodyHasOneLength(first: String, second: String) async throws {
    try await RunningService.run { service in
      let client = try Client(port: service.port)
      try client.send(
        text:
          "POST /orders HTTP/1.1\r\nHost: localhost\r\n\(first)\r\n\(second)\r\n\r\n0\r\n\r\n"
      )
      let response = try client.response()
      #expect(response.status == 400)
      #expect(response.body.contains("more than one length"), "\(response.body)")
      #expect(response.headers["connection"] == "close")
    }
  }

  // A length that does not fit into an Int counted as none, and the request waited for its body.
  @Test(arguments: ["65537", "9223372036854775807", "9223372036854775808", "18446744073709551615"])
  func aLengthThatIsTooLongIsRefusedBeforeTheBodyComes(length: String) async throws {
    try await RunningService.run { service in
      let client = try Client(port: service.port)
      try client.send(
        text: "POST /orders HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(length)\r\n\r\n")
      #expect(try client.response().status == 413)
    }
  }

  @Test func aBodyWithoutAnEndLosesItsConnection() async throws {
    try await RunningService.run { service in
      let client = try Client(port: service.port)
      let head = "POST /orders HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
      try client.send(text: head)
      let chunk = "10000\r\n\(String(repeating: " ", count: 65_536))\r\n"
      // The system buffers some megabytes that were not read.
      #expect(throws: Client.Lost.self) {
        for _ in 0..<1_000 { try client.send(text: chunk) }
      }
    }
  }

  @Test func aLineOfTheLogStaysOneLine() async throws {
    let log = RecordingLog()
    try await RunningService.run(variables: ["LOG_REQUESTS": "on"]) {
      try $0.register(value: log, as: (any Log).self, onDuplicate: .require)
    } _: { service in
      let path = "/a%0D%0Aorders:%20forged%1B%E2%80%A8%5Cn"
      let response = try service.send("GET", path)
      #expect(response.status == 404)
    }
    let lines = log.lines.value.filter { $0.contains("forged") }
    #expect(lines.count == 1)
    #expect(
      lines.first?.hasSuffix(#" GET /a\r\norders: forged\u{1B}\u{2028}\\n 404"#) == true, "\(lines)"
    )
  }

  @Test func eachIsAnsweredWithAStatusAndAnExplanation() async throws {
    try await RunningService.run { service in
      for bad in Self.cases {
        let parts = bad.request.split(separator: " ").map(String.init)
        let response = try service.send(parts[0], parts[1], headers: bad.headers, body: bad.body)
        #expect(response.status == bad.status, "\(bad.description): \(response.body)")
        #expect(response.body.contains(bad.says), "\(bad.description): \(response.body)")
        #expect(response.headers["content-type"] == "application/json")
      }
      #expect(try service.send("GET", "/health").status == 200)
    }
  }
}
