// SPDX-License-Identifier: MIT

import Corinth
import CorinthConfiguration
import Foundation
import XCTest

private struct Database: Decodable, Sendable, Equatable {
  var host: String
  var port: Int
  var replicas: [String]?
  var url: URL?
}

private enum Level: String, Decodable { case quiet, loud }

final class ResourceTests: XCTestCase {
  private let container = Container()

  private func register(_ json: String, _ name: String = "app.json") throws {
    try container.register(resource: .json(json, named: name))
  }

  private func assertError(
    _ kind: ConfigurationError.Kind, _ parts: String..., line: UInt = #line,
    _ body: () throws -> Void
  ) {
    XCTAssertThrowsError(try body(), line: line) { error in
      guard let error = error as? ConfigurationError else {
        return XCTFail("\(error)", line: line)
      }
      XCTAssertEqual(error.kind, kind, "\(error)", line: line)
      for part in parts { XCTAssertTrue("\(error)".contains(part), "\(error)", line: line) }
    }
  }

  // MARK: - Reading

  func testValuesAreReadByDottedNamesAsWhatTheReaderAsksFor() throws {
    try register(
      #"{"db": {"host": "h", "port": 5432, "tls": true, "ratio": 0.5, "none": null}, "hosts": ["a", "b"]}"#
    )
    XCTAssertEqual(try container.property("db.host", as: String.self), "h")
    XCTAssertEqual(try container.property("db.port", as: Int.self), 5_432)
    XCTAssertEqual(try container.property("db.port", as: Double.self), 5_432)
    XCTAssertEqual(try container.property("db.port", as: UInt16.self), 5_432)
    XCTAssertEqual(try container.property("db.tls", as: Bool.self), true)
    XCTAssertEqual(try container.property("db.ratio", as: Double.self), 0.5)
    XCTAssertNil(try container.property("db.none", as: Int?.self))
    XCTAssertEqual(try container.property("hosts", as: [String].self), ["a", "b"])
    let port: Int = try container.property("db.port")
    XCTAssertEqual(port, 5_432)
  }

  func testASectionIsReadAsADecodableProduct() throws {
    try register(#"{"db": {"host": "h", "port": 1, "url": "https://a/b", "replicas": ["x"]}}"#)
    try container.register(Database.self, property: "db")
    let expected = Database(host: "h", port: 1, replicas: ["x"], url: URL(string: "https://a/b"))
    XCTAssertEqual(try container.resolve(Database.self), expected)
  }

  func testAPropertyListHasDatesAndData() throws {
    let url = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).plist")
    defer { try? FileManager.default.removeItem(at: url) }
    let content: [String: Any] = [
      "since": Date(timeIntervalSinceReferenceDate: 7), "key": Data([1, 2]),
      "db": ["host": "h", "port": 1] as [String: Any],
    ]
    try PropertyListSerialization.data(fromPropertyList: content, format: .binary, options: 0)
      .write(to: url)
    try container.register(resource: url)
    XCTAssertEqual(
      try container.property("since", as: Date.self), Date(timeIntervalSinceReferenceDate: 7))
    XCTAssertEqual(try container.property("key", as: Data.self), Data([1, 2]))
    XCTAssertEqual(try container.property("db", as: Database.self), Database(host: "h", port: 1))
  }

  // MARK: - Overriding

  func testLaterResourcesOverrideValuesAndLeaveTheOthers() throws {
    try register(#"{"db": {"host": "h", "port": 1}}"#)
    try register(#"{"db": {"port": 2}, "new": 3}"#, "local.json")
    XCTAssertEqual(try container.property("db", as: Database.self), Database(host: "h", port: 2))
    XCTAssertEqual(try container.property("new", as: Int.self), 3)
  }

  func testChildrenAndForksInheritAndOverride() throws {
    try register(#"{"db": {"host": "h", "port": 1}}"#)
    let child = Container(parent: container)
    try child.register(resource: .json(#"{"db": {"port": 2}}"#, named: "tenant.json"))
    let fork = container.fork()
    try fork.register(resource: .json(#"{"db": {"host": "f"}}"#, named: "fork.json"))
    XCTAssertEqual(try child.property("db", as: Database.self), Database(host: "h", port: 2))
    XCTAssertEqual(try fork.property("db", as: Database.self), Database(host: "f", port: 1))
    XCTAssertEqual(try container.property("db", as: Database.self), Database(host: "h", port: 1))
    let scope = child.makeScope()
    XCTAssertEqual(try scope.property("db.port", as: Int.self), 2)
  }

  func testTheEnvironmentOverridesWhatIsThereAndAddsWhatIsNot() throws {
    try register(
      #"{"db": {"host": "h", "port": 1, "maxConnections": 5, "use-tls": false}, "name": "n"}"#)
    try container.register(
      resource: .environment(
        prefix: "SHOP_",
        variables: [
          "SHOP_DB_PORT": "2", "SHOP_DB_MAXCONNECTIONS": "9", "SHOP_DB_USE_TLS": "true",
          "SHOP_NAME": "7", "SHOP_CACHE_SIZE": "1.5", "OTHER_NAME": "x",
        ]))
    XCTAssertEqual(try container.property("db", as: Database.self), Database(host: "h", port: 2))
    XCTAssertEqual(try container.property("db.maxConnections", as: Int.self), 9)
    XCTAssertEqual(try container.property("db.use-tls", as: Bool.self), true)
    XCTAssertEqual(try container.property("name", as: String.self), "7")
    XCTAssertEqual(try container.property("cache.size", as: Double.self), 1.5)
    XCTAssertEqual(try container.property("cache.size", as: String.self), "1.5")
  }

  // MARK: - Errors

  func testAMalformedFileNamesItsLine() throws {
    assertError(.malformed, "app.json", "line 3", "not JSON") {
      try register("{\n \"a\": 1,\n \"b\": }")
    }
    assertError(.malformed, "app.json", "an array") { try register("[1]") }
    assertError(.malformed, "app.json", "line 1") { try register("") }
    assertError(.malformed, "a.b", "range") { try register(#"{"a": {"b": 1e999}}"#) }
    let deep = String(repeating: #"{"a":"#, count: 100) + "1" + String(repeating: "}", count: 100)
    assertError(.malformed, "deeper than 64") { try register(deep) }
    assertError(.unreadable, "/nowhere/app.json") {
      try container.register(resource: URL(filePath: "/nowhere/app.json"))
    }
    XCTAssertEqual(container.registrations.count, 0)
  }

  func testASectionAndAValueConflictAndNothingIsRegistered() throws {
    try register(#"{"db": {"port": 1}, "name": "n"}"#)
    let before = container.registrations.count
    assertError(.conflicting, "db is a value in local.json", "a section in app.json") {
      try register(#"{"a": 1, "db": 5}"#, "local.json")
    }
    assertError(.conflicting, "name is a section in local.json") {
      try register(#"{"name": {"first": 1}}"#, "local.json")
    }
    assertError(.conflicting, "\"a.b\"") { try register(#"{"a.b": 1}"#) }
    assertError(.conflicting, "in a", "empty") { try register(#"{"a": {"": 1}}"#) }
    assertError(.conflicting, "P_X_Y", "x.y") {
      try container.register(
        resource: .environment(prefix: "P_", variables: ["P_X": "1", "P_X_Y": "2", "P_DB": "1"]))
    }
    XCTAssertEqual(container.registrations.count, before)
  }

  func testAMistypedPropertyNamesItsPathItsSourceAndWhatWasExpected() throws {
    try register(#"{"db": {"host": "h", "port": "x"}, "level": "shrill", "list": [1, "2"]}"#)
    assertError(.mistyped, "db.port of app.json must be Int, and is a string") {
      _ = try container.property("db.port", as: Int.self)
    }
    assertError(.mistyped, "db.port of app.json must be Int, and is a string") {
      _ = try container.property("db", as: Database.self)
    }
    assertError(.mistyped, "level of app.json must be Level", "stands for none") {
      _ = try container.property("level", as: Level.self)
    }
    assertError(.mistyped, "list", "must be Int") {
      _ = try container.property("list", as: [Int].self)
    }
    try register(#"{"other": {"host": "h"}}"#)
    assertError(.mistyped, "other.port is missing") {
      _ = try container.property("other", as: Database.self)
    }
    try container.register(
      resource: .environment(prefix: "E_", variables: ["E_DB_PORT": "many"]))
    assertError(.mistyped, "db.port of E_DB_PORT must be Int, and is a text") {
      _ = try container.property("db.port", as: Int.self)
    }
  }

  func testAPropertyThatIsMissingIsAnErrorWithSimilarNames() throws {
    try register(#"{"db": {"port": 1}}"#)
    XCTAssertThrowsError(try container.property("db.prot", as: Int.self)) { error in
      XCTAssertTrue("\(error)".contains("\"db.port\""), "\(error)")
    }
  }

  func testValidationKnowsTheKeysThatAreRequired() throws {
    try register(#"{"db": {"host": "h", "port": 1}}"#)
    try container.register(Database.self, property: "db")
    try container.register(Int.self, with: .dependsOn(keys: [.property("db.port")])) { resolver in
      try resolver.property("db.port")
    }
    XCTAssertEqual(try container.validate(strictly: true).findings.count, 0)
    try container.register(String.self, property: "mail.host")
    XCTAssertThrowsError(try container.validate()) { error in
      guard case RegistrationError.validationFailed(let report) = error else {
        return XCTFail("\(error)")
      }
      XCTAssertEqual(report.findings.map(\.kind), [.missing])
      XCTAssertEqual(report.findings[0].key, .property("mail.host"))
    }
  }

  /// Each property of a section was reported as unused, with the hint to remove the property.
  func testARootThatReadsASectionUsesTheProperties() throws {
    try register(#"{"db": {"host": "h", "port": 1, "pool": {"size": 4}}, "unread": 1}"#)
    try register(#"{"db": {"password": "secret"}}"#)
    try container.register(Database.self, property: "db")
    XCTAssertThrowsError(try container.validate(roots: [Database.self], strictly: true)) { error in
      guard case RegistrationError.validationFailed(let report) = error else {
        return XCTFail("\(error)")
      }
      XCTAssertEqual(report.findings.map(\.kind), [.unused])
      XCTAssertEqual(report.findings[0].key, .property("unread"))
    }
  }

  func testAFrozenContainerTakesNoResource() throws {
    try container.freeze()
    XCTAssertThrowsError(try register(#"{"a": 1}"#))
    XCTAssertThrowsError(try container.property("a", as: Int.self))
  }
}
