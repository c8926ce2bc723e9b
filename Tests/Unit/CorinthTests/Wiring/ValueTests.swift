// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

private struct Configuration: Sendable, Equatable {
  let port: Int
}

/// Not Sendable.
private final class Cursor {}

final class ValueTests: AsyncTestCase {
  func testAValueIsRegisteredUnderItsOwnType() throws {
    try container.register(value: Configuration(port: 80))
    XCTAssertEqual(try container.resolve(Configuration.self), Configuration(port: 80))
  }

  func testAValueIsRegisteredUnderATypeThatIsGiven() throws {
    let smtp = SMTP(log: Log(), host: "value")
    try container.register(value: smtp, as: (any Mail).self)
    XCTAssertTrue(try container.resolve((any Mail).self) === smtp)
    XCTAssertFalse(container.contains(SMTP.self))
  }

  func testAValueHasAName() throws {
    try container.register(value: 1)
    try container.register(value: 2, name: "two")
    XCTAssertEqual(try container.resolve(Int.self), 1)
    XCTAssertEqual(try container.resolve(Int.self, name: "two"), 2)
  }

  func testAValueMayRefuseToBeOverridden() throws {
    try container.register(value: 1, onDuplicate: .refuse)
    XCTAssertThrowsError(try container.register(value: 2)) {
      XCTAssertTrue($0.is(.alreadyRegistered))
    }
    XCTAssertEqual(try container.resolve(Int.self), 1)
  }

  func testAValueThatIsNotSendableIsRegisteredUnchecked() throws {
    let cursor = Cursor()
    try container.register(uncheckedValue: cursor)
    try container.register(uncheckedValue: cursor, as: AnyObject.self)
    XCTAssertTrue(try container.resolve(Cursor.self) === cursor)
    XCTAssertTrue(try container.resolve(AnyObject.self) === cursor)
  }

  func testAValueIsBorrowedAndProvided() throws {
    try container.register(value: Configuration(port: 80))
    XCTAssertEqual(try container.withResolved(Configuration.self) { $0.port }, 80)
    XCTAssertEqual(try container.provider(for: Configuration.self)().port, 80)
  }

  func testAnAsynchronousResolveGetsAValueToo() async throws {
    try container.register(value: Configuration(port: 80))
    let found = try await container.resolveAsync(Configuration.self)
    XCTAssertEqual(found.port, 80)
  }

  func testAValueIsReleasedWithItsRegistration() throws {
    let tracker = LifetimeTracker()
    try container.register(value: tracker.make())
    XCTAssertEqual(tracker.alive, 1)
    container.unregister(Tracked.self)
    settleReclamation()
    XCTAssertEqual(tracker.alive, 0)
    try container.register(value: tracker.make())
    try container.register(value: tracker.make())
    settleReclamation()
    XCTAssertEqual(tracker.alive, 1)
    container.removeAll()
    settleReclamation()
    XCTAssertEqual(tracker.alive, 0)
  }

  func testReleaseLeavesAValueAlone() throws {
    try container.register(value: Log(level: 1))
    let log = try container.resolve(Log.self)
    XCTAssertFalse(container.release(Log.self))
    container.releaseAll()
    XCTAssertTrue(try container.resolve(Log.self) === log)
  }

  // MARK: - Modifiers

  func testActionsRunOnceWithTheFirstResolve() throws {
    let runs = AtomicCounter()
    try container.register(value: Log(level: 1)).afterInit { _, _ in runs.add() }
    let log = try container.resolve(Log.self)
    XCTAssertTrue(try container.resolve(Log.self) === log)
    XCTAssertEqual(runs.value, 1)
  }

  func testDisposersRunAtShutdownInReverseOrderAlsoOfAValueThatNobodyResolved() async throws {
    let events = EventLog()
    try container.register(value: Log(level: 1))
      .onDispose { _ in events.add("first log") }
      .onDispose { _ in events.add("second log") }
    try container.register(value: Configuration(port: 80))
      .onDispose { _ in events.add("configuration") }
    _ = try container.resolve(Configuration.self)
    try await container.shutdown()
    XCTAssertEqual(events.entries, ["configuration", "second log", "first log"])
  }

  func testAModifierReportsNoDroppedValue() throws {
    let reports = AtomicCounter()
    Container.onUndisposed = { _ in reports.add() }
    try container.register(value: Log(level: 1)).onDispose { _ in }.onDispose { _ in }
    XCTAssertEqual(reports.value, 0)
    try container.register(value: Log(level: 2))
    XCTAssertEqual(reports.value, 1)
    Container.onUndisposed = nil
  }

  func testAValueIsServedUnderOtherTypes() throws {
    let smtp = SMTP(log: Log(), host: "value")
    try container.register(value: smtp).implements((any Mail).self)
    XCTAssertTrue(try container.resolve((any Mail).self) === smtp)
  }

  func testAnotherScopeServesTheValueToo() throws {
    try container.register(value: Log(level: 1)).as(.transient)
    let log = try container.resolve(Log.self)
    XCTAssertTrue(try container.resolve(Log.self) === log)
  }

  // MARK: - Expressions

  func testAnExpressionIsEvaluatedByEachResolve() throws {
    let count = AtomicCounter()
    try container.register(evaluating: count.add())
    XCTAssertEqual(count.value, 0)
    XCTAssertEqual(try container.resolve(Int.self), 1)
    XCTAssertEqual(try container.resolve(Int.self), 2)
  }

  func testAnExpressionsResultMayBeShared() throws {
    let count = AtomicCounter()
    try container.register(evaluating: count.add(), name: "shared").as(.singleton)
    XCTAssertEqual(try container.resolve(Int.self, name: "shared"), 1)
    XCTAssertEqual(try container.resolve(Int.self, name: "shared"), 1)
  }

  func testAnExpressionMayThrow() throws {
    @Sendable func fail() throws -> Int { throw FixtureError("expression") }
    try container.register(evaluating: try fail(), as: Int.self)
    XCTAssertThrowsError(try container.resolve(Int.self)) {
      XCTAssertEqual(
        ($0 as? ResolutionError)?.underlyingError as? FixtureError, FixtureError("expression"))
    }
  }
}
