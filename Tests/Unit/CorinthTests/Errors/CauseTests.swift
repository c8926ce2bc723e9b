// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

private protocol Answer: Error {
  var status: Int { get }
}

private struct HTTPError: Answer {
  let status: Int

  init(_ status: Int) {
    self.status = status
  }
}

private struct Database {}
private struct Orders {}
private final class Session: Sendable {}

/// An error's cause is found wherever it was thrown.
final class CauseTests: ContainerTestCase {
  private func assertCause(
    _ expected: Int?, line: UInt = #line, _ body: () throws -> Any?
  ) {
    XCTAssertThrowsError(try body(), line: line) { error in
      XCTAssertEqual(error.cause(as: HTTPError.self)?.status, expected, "\(error)", line: line)
      XCTAssertEqual(error.cause(as: (any Answer).self)?.status, expected, "\(error)", line: line)
    }
  }

  func testAnErrorIsTheNearestCauseOfItself() {
    XCTAssertEqual(HTTPError(404).cause(as: HTTPError.self)?.status, 404)
    XCTAssertEqual(HTTPError(404).cause(as: (any Answer).self)?.status, 404)
    XCTAssertNil(HTTPError(404).cause(as: CancellationError.self))
    XCTAssertTrue(HTTPError(404).cause(as: (any Error).self) is HTTPError)
  }

  func testTheTypeIsInferred() throws {
    try container.register(Database.self) { _ in throw HTTPError(401) }
    do { _ = try container.resolve(Database.self) } catch {
      let cause: HTTPError? = error.cause()
      XCTAssertEqual(cause?.status, 401)
    }
  }

  func testWhatAFactoryThrewIsTheCauseOfEveryResolveAroundIt() throws {
    try container.register(Database.self) { _ in throw HTTPError(401) }
    try container.register(Orders.self) {
      _ = try $0.resolve(Database.self)
      return Orders()
    }
    assertCause(401) { try container.resolve(Database.self) }
    assertCause(401) { try container.resolve(Orders.self) }
    assertCause(nil) { try container.resolve(Session.self) }
  }

  func testAnErrorOfCorinthIsFoundInside() throws {
    try container.register(Session.self, scope: .scoped) { _ in Session() }
      .onDispose { _ in throw HTTPError(409) }
    try container.register(Database.self) { [container] _ in
      try container.syncWithScope { _ = try $0.resolve(Session.self) }
      return Database()
    }
    assertCause(409) { try container.resolve(Database.self) }
    XCTAssertThrowsError(try container.resolve(Database.self)) { error in
      XCTAssertTrue(error.cause(as: CloseError.self)?.is(.disposalFailed) == true)
      XCTAssertTrue(error.cause(as: ResolutionError.self)?.is(.underlyingError) == true)
    }
  }

  func testTheErrorOfTheWorkComesBeforeThatOfTheClosing() throws {
    try container.register(Session.self, scope: .scoped) { _ in Session() }
      .onDispose { _ in throw HTTPError(500) }
    assertCause(422) {
      try container.syncWithScope { scope -> Void in
        _ = try scope.resolve(Session.self)
        throw HTTPError(422)
      }
    }
    assertCause(500) {
      try container.syncWithScope { scope -> Void in
        _ = try scope.resolve(Session.self)
        throw FixtureError("of another type")
      }
    }
  }

  func testSeveralDisposersFailInTheirOrder() throws {
    for (name, status) in [("first", 1), ("second", 2)] {
      try container.register(Session.self, name: Name(name), scope: .scoped) { _ in Session() }
        .onDispose { _ in throw HTTPError(status) }
    }
    // They are disposed of in the reverse order.
    assertCause(2) {
      try container.syncWithScope { scope -> Void in
        _ = try scope.resolve(Session.self, name: "first")
        _ = try scope.resolve(Session.self, name: "second")
      }
    }
  }

  func testTheFirstOfSeveralFailuresIsSearchedToItsEnd() throws {
    try container.register(Session.self, scope: .singleton) { _ in
      throw CloseError.disposalFailed([])
    }.eager()
    try container.register(Orders.self, scope: .unchecked(.singleton)) { [container] _ in
      _ = try container.resolve(Database.self)
      return Orders()
    }.eager()
    try container.register(Database.self) { _ in throw HTTPError(1) }
    try container.register(Int.self, scope: .singleton) { _ in throw HTTPError(2) }.eager()
    assertCause(1) { try container.syncWarmUp() }
  }

  func testAnAssemblyMayThrowIt() {
    struct Storage: Assembly {
      func assemble(container: Container) throws { throw HTTPError(3) }
    }
    let assembler = Assembler(container: container)
    assertCause(3) { try assembler.apply(assembly: Storage()) }
  }

  func testAnInjectedPropertyTellsIt() throws {
    struct Service { @Injected var database: Database }
    try container.register(Database.self) { _ in throw HTTPError(4) }
    assertCause(4) { try container.withCurrent { try Service().$database() } }
  }

  func testValidationByBuildingTellsIt() throws {
    try container.register(Database.self) { _ in throw HTTPError(5) }
    assertCause(5) { try container.syncValidate(building: true) }
  }

  func testACancellationInsideOfAnotherErrorIsNoFailure() throws {
    let journal = Journal()
    try container.register(Session.self, scope: .scoped) { _ in Session() }
      .onDispose { _, outcome in
        if case .cancelled = outcome { journal.write("cancelled") }
        throw FixtureError("cannot roll back")
      }
    try container.register(Database.self) { _ in throw CancellationError() }
    try container.register(Orders.self) { [container] _ in
      try container.syncWithScope { inner in
        _ = try inner.resolve(Session.self)
        _ = try inner.resolve(Database.self)
        return Orders()
      }
    }
    XCTAssertThrowsError(
      try container.syncWithScope { scope -> Void in
        _ = try scope.resolve(Session.self)
        _ = try scope.resolve(Orders.self)
      })
    XCTAssertEqual(journal.entries, ["cancelled", "cancelled"])
  }
}
