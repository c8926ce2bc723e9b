// SPDX-License-Identifier: MIT

import Corinth
import CorinthConfiguration
import Foundation
import TestSupport
import XCTest

/// Resources that a reload registers again: what has changed in them is replaced, and nothing else.
final class ReloadedResourceTests: AsyncTestCase {
  final class Reader: Sendable {
    let text: String

    init(_ text: String) { self.text = text }
  }

  private struct Tax: Decodable, Sendable {
    let rate: Double
  }

  private let log = EventLog()
  private var reloadable: ReloadableContainer { ReloadableContainer(container) }

  private func json(_ text: String, _ name: String = "app.json") -> Resource {
    .json(text, named: name)
  }

  /// A singleton that reads a property.
  private func addReader(of property: String) throws {
    try container.register(
      Reader.self, name: Name(property), scope: .singleton,
      with: .dependsOn(keys: [.property(property)])
    ) { resolver in Reader(try resolver.property(property)) }
    .onDispose { [log] in log.add("\(property) \($0.text)") }
  }

  private func text(_ property: String) throws -> String {
    try reloadable.current.resolve(Reader.self, name: Name(property)).text
  }

  nonisolated(nonsending) private func reload(_ resources: Resource...) async throws {
    try await reloadable.reload { version in
      for resource in resources { try version.register(resource: resource) }
    }.value
  }

  private func assertMissing(_ property: String, line: UInt = #line) {
    let key = RegistrationKey.property(property)
    let current = reloadable.current
    XCTAssertThrowsError(try current.property(property, as: String.self), line: line) { error in
      XCTAssert(error.is(.noRegistrationFound), "\(error)", line: line)
      XCTAssertEqual((error as? ResolutionError)?.key, key, line: line)
    }
    XCTAssertThrowsError(try current.resolve(key: key), line: line)
    XCTAssertFalse(current.registrations.contains { $0.key == key }, line: line)
    XCTAssertFalse(current.graph().registrations.contains { $0.key == key }, line: line)
    XCTAssertThrowsError(
      try current.makeScope().property(property, as: String.self), line: line
    ) { XCTAssert($0.is(.noRegistrationFound), "\($0)", line: line) }
  }

  // MARK: - Changes

  /// One changed tax rate opened the pool of the database again, and flushed the mailer.
  func testOneChangedValueReplacesWhatReadsItOnly() async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).json")
    defer { try? FileManager.default.removeItem(at: file) }
    func write(_ rate: Double) throws {
      let text = #"{"db": {"host": "h"}, "mail": {"sender": "m"}, "tax": {"rate": \#(rate)}}"#
      try Data(text.utf8).write(to: file)
    }
    try write(0.19)
    try container.register(resource: file)
    try addReader(of: "db.host")
    try addReader(of: "mail.sender")
    try container.register(Tax.self, property: "tax").onDispose { [log] in log.add("\($0.rate)") }
    let current = reloadable.current
    let pool = try current.resolve(Reader.self, name: "db.host")
    let mailer = try current.resolve(Reader.self, name: "mail.sender")
    XCTAssertEqual(try current.resolve(Tax.self).rate, 0.19)
    for rate in [0.07, 0.07, 0.05] {
      try write(rate)
      try await reloadable.reload { try $0.register(resource: file) }.value
      XCTAssertEqual(try reloadable.current.resolve(Tax.self).rate, rate)
      XCTAssert(try reloadable.current.resolve(Reader.self, name: "db.host") === pool)
      XCTAssert(try reloadable.current.resolve(Reader.self, name: "mail.sender") === mailer)
    }
    XCTAssertEqual(log.entries, ["0.19", "0.07"])
    try await container.shutdown()
  }

  func testASectionChangesWithAnyOfItsValues() async throws {
    try container.register(resource: json(#"{"a": {"b": {"c": 1}, "d": 1}, "e": {"f": 1}}"#))
    for name in ["a", "a.b", "e"] {
      try container.register(
        [String: Int].self, name: Name(name), scope: .singleton,
        with: .dependsOn(keys: [.property(name)])
      ) { _ in [:] }.onDispose { [log] _ in log.add(name) }
      _ = try reloadable.current.resolve([String: Int].self, name: Name(name))
    }
    let texts: [(String, Set<String>)] = [
      (#"{"a": {"b": {"c": 1}, "d": 1}, "e": {"f": 1}}"#, []),
      (#"{"a": {"b": {"c": 2}, "d": 1}, "e": {"f": 1}}"#, ["a", "a.b"]),
      (#"{"a": {"b": {"c": 2}, "d": 2}, "e": {"f": 1}}"#, ["a"]),
      (#"{"a": {"b": {"c": 2, "x": 1}, "d": 2}, "e": {"f": 1}}"#, ["a", "a.b"]),
      (#"{"a": {"b": {"x": 1}, "d": 2}, "e": {"f": 1}}"#, ["a", "a.b"]),
      (#"{"a": {"b": {"x": 1}, "d": 2}, "e": {"f": null}}"#, ["e"]),
    ]
    for (text, changed) in texts {
      let before = log.entries.count
      try await reload(json(text))
      XCTAssertEqual(Set(log.entries[before...]), changed, text)
    }
    try await container.shutdown()
  }

  // MARK: - What goes and comes

  /// A property that a file had no longer was inherited from the version before, without a word.
  func testWhatIsGoneIsMissingAndComesBack() async throws {
    try container.register(resource: json(#"{"a": "1", "b": {"c": "1"}}"#))
    try container.register(Int.self) { resolver in
      (try? resolver.property("a", as: String.self)) == nil ? 0 : 1
    }.dependsOn()
    try await reload(json(#"{"b": {"c": "1"}}"#))
    assertMissing("a")
    XCTAssertEqual(try reloadable.current.resolve(Int.self), 0)
    try await reload(json(#"{"b": {"c": "1"}}"#))
    assertMissing("a")
    try await reload(json("{}"))
    for name in ["a", "b", "b.c"] { assertMissing(name) }
    try await reload(json(#"{"a": "2", "b": "2", "new": "2"}"#))
    XCTAssertEqual(try reloadable.current.property("a", as: String.self), "2")
    XCTAssertEqual(try reloadable.current.property("b", as: String.self), "2")
    assertMissing("b.c")
    try await reload(json("{}"))
    for name in ["a", "b", "b.c", "new"] { assertMissing(name) }
    XCTAssertEqual(reloadable.current.registrations.count, 1)
    XCTAssertEqual(try container.property("a", as: String.self), "1")
    try await container.shutdown()
  }

  func testWhatDependsOnWhatIsGoneFailsAndTheOldVersionStays() async throws {
    try container.register(resource: json(#"{"port": "1", "host": "h"}"#))
    try addReader(of: "port")
    XCTAssertEqual(try text("port"), "1")
    let before = reloadable.current
    await assertThrows {
      try await reload(json(#"{"prt": "1", "host": "h"}"#))
    } _: { error in
      XCTAssert(error.is(.validationFailed), "\(error)")
      XCTAssert("\(error)".contains("Nothing is registered for"), "\(error)")
      XCTAssert("\(error)".contains("port"), "\(error)")
    }
    XCTAssert(reloadable.current === before)
    await assertThrows {
      try await reloadable.reload(validating: false) { [json = json("{}")] version in
        try version.register(resource: json)
      }
    } _: {
      XCTAssert($0.is(.warmUpFailed), "\($0)")
    }
    XCTAssertEqual(try text("port"), "1")
    XCTAssertEqual(log.entries, [])
    try await container.shutdown()
  }

  func testWhatArrivesReachesThoseThatAskForIt() async throws {
    try container.register(resource: json(#"{"a": "1"}"#))
    try container.register(
      Reader.self, scope: .singleton,
      with: .dependsOn(keys: [.property("a"), .property("b")])
    ) { resolver in
      Reader((try? resolver.property("b", as: String.self)) ?? "none")
    }
    XCTAssertEqual(try reloadable.current.resolve(Reader.self).text, "none")
    try await reload(json(#"{"a": "1", "b": "2"}"#))
    XCTAssertEqual(try reloadable.current.resolve(Reader.self).text, "2")
    try await container.shutdown()
  }

  // MARK: - Several resources

  func testAResourceKeepsItsPlaceAmongTheOthers() async throws {
    let variables = ["P_A": "env"]
    try container.register(resource: json(#"{"a": "1", "b": "1", "c": "1"}"#, "defaults"))
    try container.register(resource: json(#"{"a": "2", "b": "2"}"#, "local"))
    try container.register(resource: .environment(prefix: "P_", variables: variables))
    for name in ["a", "b", "c"] {
      try addReader(of: name)
      _ = try text(name)
    }
    func texts() throws -> [String] { try ["a", "b", "c"].map(text) }
    XCTAssertEqual(try texts(), ["env", "2", "1"])
    try await reload(json(#"{"a": "3", "b": "3", "c": "3"}"#, "defaults"))
    XCTAssertEqual(try texts(), ["env", "2", "3"])
    XCTAssertEqual(log.entries, ["c 1"])
    try await reload(json(#"{"a": "4"}"#, "local"))
    XCTAssertEqual(try texts(), ["env", "3", "3"])
    XCTAssertEqual(log.entries, ["c 1", "b 2"])
    try await reload(.environment(prefix: "P_", variables: [:]))
    XCTAssertEqual(try texts(), ["4", "3", "3"])
    try await reload(json("{}", "local"))
    XCTAssertEqual(try texts(), ["3", "3", "3"])
    // All of them, as at the start.
    try await reload(
      json(#"{"a": "3", "b": "3", "c": "3"}"#, "defaults"), json("{}", "local"),
      .environment(prefix: "P_", variables: ["P_C": "3"]))
    XCTAssertEqual(try texts(), ["3", "3", "3"])
    try await container.shutdown()
  }

  func testTwoTextsOfOneNameInOneReloadAreBothThere() async throws {
    try container.register(resource: json(#"{"a": "1", "x": "1"}"#))
    for _ in 1...3 {
      try await reload(json(#"{"a": "1"}"#), json(#"{"b": "2"}"#))
      XCTAssertEqual(try reloadable.current.property("a", as: String.self), "1")
      XCTAssertEqual(try reloadable.current.property("b", as: String.self), "2")
      assertMissing("x")
    }
    try await container.shutdown()
  }

  func testWithoutAReloadWhatIsThereStays() throws {
    try container.register(resource: json(#"{"a": "1", "b": "1"}"#))
    try container.register(resource: json(#"{"b": "2"}"#, "local"))
    try container.register(resource: json(#"{"b": "3"}"#))
    XCTAssertEqual(try container.property("a", as: String.self), "1")
    XCTAssertEqual(try container.property("b", as: String.self), "3")
  }

  func testASecretStaysOneAndAForkOfAVersionLacksWhatIsGone() async throws {
    try container.register(resource: json(#"{"a": "hidden", "b": "1"}"#).secret("a"))
    try await reload(json(#"{"a": "hidden2"}"#))
    XCTAssertThrowsError(try reloadable.current.property("a", as: Int.self)) { error in
      XCTAssertFalse("\(error)".contains("hidden"), "\(error)")
    }
    let fork = reloadable.current.fork()
    XCTAssertThrowsError(try fork.property("b", as: String.self)) { error in
      XCTAssert(error.is(.noRegistrationFound), "\(error)")
    }
    XCTAssertEqual(try fork.property("a", as: String.self), "hidden2")
    try fork.register(resource: json(#"{"b": "4"}"#))
    XCTAssertEqual(try fork.property("b", as: String.self), "4")
    try await container.shutdown()
  }
}
