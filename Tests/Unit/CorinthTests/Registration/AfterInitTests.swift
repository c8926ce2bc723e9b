// SPDX-License-Identifier: MIT

import Corinth
import Foundation
import TestSupport
import XCTest

final class AfterInitTests: AsyncTestCase {
  private let tracker = LifetimeTracker()
  private let log = EventLog()

  // MARK: - Actions

  func testActionsRunInTheOrderInWhichTheyWereAdded() throws {
    try container.register(Motor.self) { [log] _ in
      log.add("factory")
      return Motor()
    }
    .afterInit { [log] _, _ in log.add("first") }
    .as(.unchecked(.singleton))
    .afterInit { [log] _, _ in log.add("second") }
    _ = try container.resolve(Motor.self)
    XCTAssertEqual(log.entries, ["factory", "first", "second"])
    _ = try container.resolve(Motor.self)
    XCTAssertEqual(log.entries, ["factory", "first", "second"])
  }

  func testAnActionGetsTheInstanceAndAResolver() throws {
    try container.register(Int.self) { _ in 7 }
    try container.register(Box.self) { _ in Box() }.as(.singleton)
      .afterInit { resolver, box in box.value = try resolver.resolve(Int.self) }
    XCTAssertEqual(try container.resolve(Box.self).value, 7)
  }

  func testAnActionRunsForEachInstanceOfATransient() throws {
    let count = AtomicCounter()
    try container.register(Motor.self) { _ in Motor() }.afterInit { _, _ in count.add() }
    for _ in 0..<3 { _ = try container.resolve(Motor.self) }
    XCTAssertEqual(count.value, 3)
  }

  func testAnActionRunsForEachValueOfTheArguments() throws {
    try container.register(Box.self) { (_, value: Int) in Box(value) }.as(.singleton)
      .afterInit { _, box in box.value += 100 }
    for _ in 0..<2 {
      XCTAssertEqual(try container.resolve(Box.self, arguments: 1).value, 101)
      XCTAssertEqual(try container.resolve(Box.self, arguments: 2).value, 102)
    }
  }

  func testAnActionRunsAgainForTheNextInstanceAfterARelease() throws {
    let count = AtomicCounter()
    try container.register(Motor.self) { _ in Motor() }.as(.unchecked(.singleton))
      .afterInit { _, _ in count.add() }
    _ = try container.resolve(Motor.self)
    container.release(Motor.self)
    _ = try container.resolve(Motor.self)
    XCTAssertEqual(count.value, 2)
  }

  // MARK: - Failure

  func testAnActionThatThrowsLeavesNothingBehind() throws {
    for scope in [AnyScope.transient, .singleton, .weak, .graph, .cached(for: .seconds(60))] {
      let attempts = AtomicCounter()
      let container = Container()
      try container.register(Tracked.self, scope: scope) { [tracker] _ in tracker.make() }
        .afterInit { _, _ in
          if attempts.add() == 1 { throw FixtureError("not yet") }
        }
      XCTAssertThrowsError(try container.resolve(Tracked.self), "\(scope)") { error in
        XCTAssertEqual(
          (error as? ResolutionError)?.underlyingError as? FixtureError, FixtureError("not yet"))
      }
      settleReclamation()
      XCTAssertEqual(tracker.alive, 0, "\(scope)")
      XCTAssertNoThrow(try container.resolve(Tracked.self), "\(scope)")
      XCTAssertEqual(attempts.value, 2, "\(scope)")
    }
  }

  func testActionsAfterOneThatThrowsDoNotRun() throws {
    try container.register(Motor.self) { _ in Motor() }.as(.unchecked(.singleton))
      .afterInit { _, _ in throw FixtureError("first") }
      .afterInit { [log] _, _ in log.add("second") }
    XCTAssertThrowsError(try container.resolve(Motor.self))
    XCTAssertEqual(log.entries, [])
  }

  func testTheSideThatGotAnEarlyReferenceFailsWithIt() throws {
    for shape in Loop.Shape.allCases {
      for first in 0..<shape.count {
        let failure = Loop.Failure(of: Loop.A.self)
        let container = Container()
        try Loop(tracker, .singleton, failing: failure).add(shape, to: container)
        for index in 0..<shape.count {
          XCTAssertThrowsError(
            try Loop.resolve((first + index) % shape.count, from: container),
            "\(shape) from \(first)")
        }
        failure.end()
        let companion = try Loop.resolve(first, from: container)
        XCTAssert(Loop.isWhole(companion, of: shape.count), "\(shape) from \(first)")
        companion.part()
      }
    }
  }

  // MARK: - Circles

  func testACircleCanBeResolvedFromEachEnd() throws {
    for scope in [AnyScope.singleton, .weak, .graph, .scoped] {
      for shape in Loop.Shape.allCases {
        for first in 0..<shape.count {
          let created = tracker.created
          let container = Container().makeScope()
          try Loop(tracker, scope).add(shape, to: container)
          let companion = try Loop.resolve(first, from: container)
          XCTAssert(
            Loop.isWhole(companion, of: shape.count), "\(scope), \(shape) from \(first)")
          XCTAssertEqual(tracker.created - created, shape.count, "\(scope), \(shape)")
          if scope != .graph {
            for index in 0..<shape.count {
              let found = try Loop.resolve(index, from: container)
              XCTAssert(companion.circle.contains { $0 === found }, "\(scope), \(shape)")
            }
          }
          companion.part()
        }
      }
    }
    settleReclamation()
    XCTAssertEqual(tracker.alive, 0)
  }

  func testACircleThroughACapturedContainerCanBeResolved() throws {
    try container.register(CompanionOf<A>.self) { [tracker, weak container] _ in
      CompanionOf(tracker, try container?.resolve(CompanionOf<B>.self))
    }.as(.singleton)
    try container.register(CompanionOf<B>.self) { [tracker] _ in CompanionOf(tracker) }
      .as(.singleton)
      .afterInit { [weak container] _, companion in
        companion.other = try container?.resolve(CompanionOf<A>.self)
      }
    let b = try container.resolve(CompanionOf<B>.self)
    let a = try container.resolve(CompanionOf<A>.self)
    XCTAssert(a.other === b)
    XCTAssert(b.other === a)
    b.part()
  }

  func testTransientsCannotCloseACircle() throws {
    try Loop(tracker, .transient).add(.factoryAndAction, to: container)
    XCTAssertThrowsError(try Loop.resolve(0, from: container)) { error in
      guard case ResolutionError.circularDependencyDetected = error else {
        return XCTFail("\(error)")
      }
    }
  }
}

private final class Box: Sendable {
  private let storage: AtomicCounter

  init(_ value: Int = 0) {
    storage = AtomicCounter(value)
  }

  var value: Int {
    get { storage.value }
    set { storage.add(newValue - storage.value) }
  }
}
