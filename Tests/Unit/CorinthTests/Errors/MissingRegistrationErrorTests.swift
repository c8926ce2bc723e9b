// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

private final class Database {}
private final class Ledger {}

final class MissingRegistrationErrorTests: ContainerTestCase {
  private func assertMissing(
    _ golden: String, line: UInt = #line, _ resolve: () throws -> Any?
  ) {
    XCTAssertThrowsError(try resolve(), line: line) { error in
      guard case ResolutionError.noRegistrationFound = error else {
        return XCTFail("\(error)", line: line)
      }
      assertGolden(golden, "\(error)", line: line)
    }
  }

  private func register(name: Name? = nil, line: UInt) throws {
    try container.register(Database.self, name: name, file: "App/Main.swift", line: line) { _ in
      Database()
    }
  }

  func testNothingSimilarIsRegistered() throws {
    try container.register(Ledger.self) { _ in Ledger() }
    assertMissing("missing-nothing-similar") { try container.resolve(Database.self) }
  }

  func testTheTypeIsRegisteredUnderOtherNames() throws {
    try register(name: "mysql", line: 10)
    try register(name: Name(7), line: 11)
    try register(line: 12)
    assertMissing("missing-other-names") { try container.resolve(Database.self, name: "mysq") }
  }

  func testTheTypeIsRegisteredUnderANameOnly() throws {
    try register(name: "mysql", line: 10)
    assertMissing("missing-without-name") { try container.resolve(Database.self) }
  }

  func testTheTypeIsRegisteredWithoutANameOnly() throws {
    try register(line: 10)
    assertMissing("missing-with-name") { try container.resolve(Database.self, name: "mysql") }
  }

  func testTheTypeIsRegisteredUnderMoreNamesThanAreShown() throws {
    for index in 0..<8 { try register(name: "shard-\(index)", line: UInt(index + 1)) }
    assertMissing("missing-many-names") { try container.resolve(Database.self) }
  }

  func testTheTypeIsRegisteredWithOtherArguments() throws {
    try container.register(Database.self, file: "App/Main.swift", line: 10) {
      (_, _: Int, _: String) in Database()
    }
    assertMissing("wrong-arguments-order") {
      try container.resolve(Database.self, arguments: "text", 1)
    }
    assertMissing("wrong-arguments-count") { try container.resolve(Database.self, arguments: 1) }
    assertMissing("wrong-arguments-none") { try container.resolve(Database.self) }
  }

  func testTheTypeIsRegisteredWithoutArguments() throws {
    try register(line: 10)
    assertMissing("wrong-arguments-some") { try container.resolve(Database.self, arguments: 1) }
  }

  func testTheNamedTypeIsRegisteredWithOtherArguments() throws {
    try container.register(Database.self, name: "mysql", file: "App/Main.swift", line: 10) {
      (_, _: Int?) in Database()
    }
    assertMissing("wrong-arguments-optional") {
      try container.resolve(Database.self, name: "mysql", arguments: 1)
    }
  }

  func testTheOptionalTwinIsRegistered() throws {
    try container.register(Database?.self, file: "App/Main.swift", line: 10) { _ in nil }
    assertMissing("missing-optional-registered") { try container.resolve(Database.self) }
  }

  func testTheTwinWithoutOptionalIsRegistered() throws {
    try register(line: 10)
    assertMissing("missing-optional-asked") { try container.resolve(Database?.self) }
  }

  func testTheContainerIsGone() throws {
    var provider: Provider<Database>?
    do {
      let container = Container()
      try container.register(Database.self, file: "App/Main.swift", line: 1) { _ in Database() }
      try container.register(Provider<Database>.self) { try $0.provider(for: Database.self) }
      provider = try container.resolve(Provider<Database>.self)
    }
    XCTAssertThrowsError(try provider?()) { error in
      guard case .containerGone = error as? ResolutionError else { return XCTFail("\(error)") }
      assertGolden("container-gone", "\(error)")
    }
  }

  func testTheMissingDependencyIsShownWithItsPath() throws {
    try container.register(String.self) { "\(try $0.resolve(Ledger.self))" }
    try container.register(Ledger.self) { resolver in
      _ = try resolver.resolve(Database.self, name: "mysql")
      return Ledger()
    }.as(.unchecked(.singleton))
    try register(line: 10)
    assertMissing("missing-dependency") { try container.resolve(String.self) }
  }

  func testAProviderOfNothingIsMissing() throws {
    try register(name: "mysql", line: 10)
    assertMissing("missing-without-name") { try container.provider(for: Database.self) }
    assertMissing("missing-without-name") { try container.withResolved(Database.self) { $0 } }
  }

  func testAnErrorPrintedAfterItsContainerIsGoneNamesSimilarRegistrations() throws {
    var error: ResolutionError?
    do {
      let container = Container()
      try container.register(Database.self, name: "mysql", file: "App/Main.swift", line: 10) { _ in
        Database()
      }
      do { _ = try container.resolve(Database.self) } catch let caught {
        error = caught as? ResolutionError
      }
    }
    assertGolden("missing-without-name", "\(try XCTUnwrap(error))")
  }

  // Errors that left a request scope were logged without hints: the scope was gone by then.
  func testAnErrorPrintedAfterItsScopeIsGoneNamesSimilarRegistrations() throws {
    try container.register(Database.self, name: "mysql", file: "App/Main.swift", line: 10) { _ in
      Database()
    }
    XCTAssertThrowsError(try container.syncWithScope { _ = try $0.resolve(Database.self) }) {
      assertGolden("missing-scope-gone", "\($0)")
    }
  }

  func testAnErrorPrintedAfterTheOverridesAreGoneNamesSimilarRegistrations() throws {
    try container.register(Database.self, name: "mysql", file: "App/Main.swift", line: 10) { _ in
      Database()
    }
    try container.register(Database.self) { _ in Database() }
    XCTAssertThrowsError(
      try container.syncWithOverrides {
        $0.unregister(Database.self)
      } run: {
        try $0.syncWithScope { _ = try $0.resolve(Database.self) }
      }
    ) {
      assertGolden("missing-scope-gone", "\($0)")
    }
  }

  func testAnErrorPrintedAfterItsScopeIsGoneNamesAnInputThatWasNotDeclared() throws {
    XCTAssertThrowsError(
      try container.syncWithScope(providing: 1) { _ = try $0.resolve(Int.self) }
    ) {
      assertGolden("undeclared-input-scope-gone", "\($0)")
    }
  }

  func testAFailedReplacementInAScopeNamesTheParentAfterTheScopeIsGone() async throws {
    try container.register(Database.self, file: "App/Main.swift", line: 10) { _ in Database() }
    do {
      try await container.withScope { _ = try await $0.replace(Database.self) { _ in Database() } }
      XCTFail("the parent's registration was replaced")
    } catch {
      assertGolden("replaced-in-scope-gone", "\(error)")
    }
  }

  func testAFailedOverrideInAScopeNamesTheParentAfterTheScopeIsGone() throws {
    try container.register(Database.self, file: "App/Main.swift", line: 10) { _ in Database() }
    XCTAssertThrowsError(
      try container.syncWithScope {
        _ = try $0.register(Database.self, onDuplicate: .require) { _ in Database() }
      }
    ) {
      assertGolden("overridden-in-scope-gone", "\($0)")
    }
  }

  func testAnErrorPrintedAfterTheScopeOfAForkIsGoneNamesWhatTheForkHas() throws {
    try container.register(Database.self, name: "base") { _ in Database() }
    let fork = container.fork {
      $0.unregister(Database.self, name: "base")
    }
    try fork.register(Database.self, name: "mysql", file: "App/Main.swift", line: 10) { _ in
      Database()
    }
    XCTAssertThrowsError(try fork.syncWithScope { _ = try $0.resolve(Database.self) }) {
      assertGolden("missing-scope-gone", "\($0)")
    }
  }

  func testAnErrorDoesNotKeepAContainerAlive() throws {
    weak var gone: Container?
    var errors: [any Error] = []
    do {
      let child = Container(parent: container)
      gone = child
      XCTAssertThrowsError(try child.syncWithScope { _ = try $0.resolve(Database.self) }) {
        errors.append($0)
      }
    }
    XCTAssertNil(gone)
    XCTAssertEqual(errors.count, 1)
  }

  func testTheTextTellsWhatWasRegisteredWhenTheErrorWasThrown() throws {
    do {
      _ = try container.resolve(Database.self)
      XCTFail("nothing is registered yet")
    } catch {
      try register(name: "mysql", line: 10)
      assertGolden("missing-nothing-similar", "\(error)")
    }
  }

  func testThePartsOfTheErrorAreThoseOfTheKey() throws {
    XCTAssertThrowsError(
      try container.resolve(Database.self, name: "mysql", arguments: 1, "text")
    ) { error in
      guard let error = error as? ResolutionError else { return XCTFail("\(error)") }
      XCTAssertTrue(error.key.product == Database.self)
      XCTAssertEqual(error.key.name, "mysql")
      XCTAssertTrue(error.key.arguments == (Int, String).self)
      XCTAssertEqual(error.path, [error.key])
      XCTAssertNil(error.context.location)
      XCTAssertNil(error.underlyingError)
    }
  }
}
