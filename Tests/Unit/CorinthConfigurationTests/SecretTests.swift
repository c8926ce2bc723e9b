// SPDX-License-Identifier: MIT

import Corinth
import CorinthConfiguration
import CorinthDrawing
import Foundation
import TestSupport
import XCTest

private let secret = "hunter2"

private enum Level: String, Decodable { case quiet }

private struct Talkative: Decodable {
  struct Refused: Error { let text: String }

  init(from decoder: any Decoder) throws {
    throw Refused(text: try decoder.singleValueContainer().decode(String.self))
  }
}

private struct Account: Decodable {
  let user: String
  let password: Talkative
}

/// Whatever is printed of a container and its errors, the secret is not in it.
final class SecretTests: XCTestCase {
  private let container = Container()

  private func makeAccount() throws {
    try container.register(
      resource: .json(
        #"{"db": {"user": "u", "password": "\#(secret)"}, "tokens": {"a": ["\#(secret)"]}}"#,
        named: "app.json"
      ).secret("db.password", "tokens"))
  }

  private func assertHidden(_ values: Any..., line: UInt = #line) {
    for value in values {
      var dumped = ""
      dump(value, to: &dumped)
      for text in ["\(value)", String(reflecting: value), dumped] {
        XCTAssertFalse(text.contains(secret), text, line: line)
        XCTAssertFalse(text.isEmpty, line: line)
      }
    }
  }

  private func error(_ body: () throws -> Void) -> any Error {
    do {
      try body()
      XCTFail("nothing was thrown")
      return CancellationError()
    } catch { return error }
  }

  func testNoErrorShowsIt() throws {
    try makeAccount()
    let errors: [any Error] = [
      error { _ = try container.property("db.password", as: Int.self) },
      error { _ = try container.property("db.password", as: Level.self) },
      error { _ = try container.property("db.password", as: Talkative.self) },
      error { _ = try container.property("db", as: Account.self) },
      error { _ = try container.property("db", as: [Int].self) },
      error { _ = try container.property("tokens", as: [String: Int].self) },
      error { _ = try container.property("tokens.a", as: [Int].self) },
      error {
        try container.register(
          resource: .json(#"{"db": {"password": "\#(secret)" "x"}}"#, named: "b.json")
            .secret("db.password"))
      },
      error {
        try container.register(
          resource: .json(#"{"db": "\#(secret)"}"#, named: "b.json").secret("db"))
      },
    ]
    for error in errors { assertHidden(error, error.localizedDescription) }
    try container.register(Int.self, scope: .singleton) { resolver in
      _ = try resolver.property("db", as: Account.self)
      return 1
    }
    assertHidden(error { _ = try container.resolve(Int.self) })
  }

  func testNoListingDrawingOrReportShowsIt() throws {
    try makeAccount()
    try container.register(String.self, property: "db.password")
    assertHidden(
      container, container.registrations, container.graph(), container.statistics,
      try container.validate(), GraphDocument(of: container).json(), container.graph().mermaid())
  }

  func testNoLogShowsIt() throws {
    let log = EventLog()
    container.add(LoggingBehavior(events: .all) { _, message in log.add(message()) })
    final class Printer: Behavior {
      let log: EventLog
      init(_ log: EventLog) { self.log = log }
      func didResolve(_ key: RegistrationKey, as instance: Any, in container: Container) {
        var text = "\(instance)"
        dump(instance, to: &text)
        log.add(text)
      }
    }
    container.add(Printer(log))
    try makeAccount()
    _ = try container.property("db.password", as: String.self)
    _ = try container.property("tokens", as: [String: [String]].self)
    XCTAssertGreaterThan(log.entries.count, 8)
    for entry in log.entries { assertHidden(entry) }
  }

  func testItStaysASecretWhenAnotherResourceOverridesIt() throws {
    try container.register(
      resource: .json(#"{"db": {"password": "p"}}"#, named: "a.json").secret("db.password"))
    try container.register(
      resource: .environment(prefix: "E_", variables: ["E_DB_PASSWORD": secret]))
    XCTAssertEqual(try container.property("db.password", as: String.self), secret)
    assertHidden(error { _ = try container.property("db.password", as: Talkative.self) })
    let child = Container(parent: container)
    try child.register(
      resource: .json(#"{"db": {"password": "\#(secret)"}}"#, named: "c.json"))
    assertHidden(error { _ = try child.property("db.password", as: Talkative.self) })
  }

  func testAResourceDoesNotShowItsValues() {
    assertHidden(
      Resource.json(#"{"password": "\#(secret)"}"#, named: "app.json").secret("password"),
      Resource.environment(prefix: "E_", variables: ["E_PASSWORD": secret]).secret("password"))
    let resource = Resource.json(#"{"password": "\#(secret)"}"#, named: "app.json")
    XCTAssertEqual("\(resource)", "app.json")
    XCTAssertEqual(Mirror(reflecting: resource).children.count, 0, "its bytes are not shown")
  }

  func testASecretOfTheEnvironmentIsOneHoweverItsNameIsWritten() throws {
    try container.register(
      resource: .environment(
        prefix: "E_",
        variables: ["E_APIKEY": secret, "E_API_TOKEN": secret, "E_SHOP_DB_PASSWORD": secret]
      ).secret("apiKey", "api-token", "shop-db"))
    for name in ["apikey", "api.token", "shop.db.password"] {
      XCTAssertEqual(try container.property(name, as: String.self), secret)
      assertHidden(error { _ = try container.property(name, as: Talkative.self) })
    }
  }
}
