// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

private final class Database {}
private final class Ledger {}
private final class Shop {}

final class FactoryFailureTests: ContainerTestCase {
  private func error(line: UInt = #line, _ resolve: () throws -> Any) throws -> ResolutionError {
    var found: ResolutionError?
    XCTAssertThrowsError(try resolve(), line: line) { found = $0 as? ResolutionError }
    return try XCTUnwrap(found, line: line)
  }

  func testTheFactorysOwnErrorIsInside() throws {
    for scope in [AnyScope.transient, .singleton, .weak] {
      try container.register(Database.self, scope: scope, file: "App/Main.swift", line: 10) { _ in
        throw FixtureError("no disk")
      }
      for _ in 0..<2 {
        let error = try error { try container.resolve(Database.self) }
        guard case .underlyingError = error else { return XCTFail("\(error)") }
        XCTAssertEqual(error.underlyingError as? FixtureError, FixtureError("no disk"))
        XCTAssertEqual(error.context.location?.description, "App/Main.swift:10")
        XCTAssertEqual(error.path.map(\.description), ["Database"])
        assertGolden("factory-failure", "\(error)")
      }
    }
  }

  func testThePathLeadsThroughAllFactories() throws {
    for scope in [AnyScope.transient, .singleton, .weak] {
      try container.register(Shop.self, scope: scope) { resolver in
        _ = try resolver.resolve(Ledger.self, name: "main")
        return Shop()
      }
      try container.register(Ledger.self, name: "main", scope: scope) { resolver in
        _ = try resolver.resolve(Database.self, arguments: 7)
        return Ledger()
      }
      try container.register(Database.self, file: "App/Main.swift", line: 10) { (_, _: Int) in
        throw FixtureError("no disk")
      }
      let error = try error { try container.resolve(Shop.self) }
      XCTAssertEqual(
        error.path.map(\.description),
        ["Shop", "Ledger named \"main\"", "Database with arguments (Int)"])
      XCTAssertEqual(error.underlyingError as? FixtureError, FixtureError("no disk"))
      assertGolden("factory-failure-path", "\(error)")
    }
  }

  func testAnErrorThatAFactoryTranslatesIsItsOwn() throws {
    try container.register(Ledger.self, file: "App/Main.swift", line: 11) { resolver in
      do { _ = try resolver.resolve(Database.self) } catch { throw FixtureError("no database") }
      return Ledger()
    }
    let error = try error { try container.resolve(Ledger.self) }
    XCTAssertEqual(error.path.map(\.description), ["Ledger"])
    XCTAssertEqual(error.underlyingError as? FixtureError, FixtureError("no database"))
  }

  func testARegistrationErrorInAFactoryIsItsUnderlyingError() throws {
    try container.register(Database.self, onDuplicate: .refuse) { _ in Database() }
    try container.register(Ledger.self) { resolver in
      try resolver.container.register(Database.self) { _ in Database() }
      return Ledger()
    }
    let error = try error { try container.resolve(Ledger.self) }
    guard case .alreadyRegistered? = error.underlyingError as? RegistrationError else {
      return XCTFail("\(error)")
    }
  }

  func testAWeakValueBehindAProtocolNamesBothTypes() throws {
    try container.register((any Shape).self, file: "App/Main.swift", line: 10) { _ in
      Square(side: 1)
    }.as(.unchecked(.weak))
    let error = try error { try container.resolve((any Shape).self) }
    assertGolden("weak-of-a-value", "\(error)")
  }

  func testAnArgumentThatIsNotEqualToItselfIsNamed() throws {
    for scope in [AnyScope.singleton, .weak, .cached(for: .seconds(1)), .graph] {
      let container = Container()
      let tracker = LifetimeTracker()
      try container.register(
        Tracked.self, scope: Scope(scope), file: "App/Main.swift", line: 10
      ) { (_, _: Double, _: Int) in tracker.make() }
      for _ in 0..<2 {
        let error = try error { try container.resolve(Tracked.self, arguments: Double.nan, 1) }
        assertGolden("argument-not-equal-to-itself", "\(error)")
      }
      XCTAssertFalse(container.release(Tracked.self, arguments: Double.nan, 1))
      XCTAssertEqual(tracker.created, 0)
    }
  }

  func testTheBodyOfWithResolvedInAFactoryKeepsItsError() throws {
    try container.register(Int.self) { _ in 1 }.as(.singleton)
    try container.register(Ledger.self) { resolver in
      try resolver.withResolved(Int.self) { _ in throw FixtureError("body") }
      return Ledger()
    }
    let error = try error { try container.resolve(Ledger.self) }
    XCTAssertEqual(error.path.map(\.description), ["Ledger"])
    XCTAssertEqual(error.underlyingError as? FixtureError, FixtureError("body"))
  }
}
