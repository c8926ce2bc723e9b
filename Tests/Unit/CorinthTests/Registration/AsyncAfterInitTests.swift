// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

final class AsyncAfterInitTests: AsyncTestCase {
  private let tracker = LifetimeTracker()
  private let log = EventLog()

  func testActionsOfBothKindsRunInOrder() async throws {
    try container.registerAsync(Tracked.self) { [tracker] _ in tracker.make() }.as(.singleton)
      .afterInit { [log] _, _ in
        await Task.yield()
        log.add("asynchronous")
      }
      .afterInit { [log] _, _ in log.add("synchronous") }
      .afterInit { [log] _, _ in
        await Task.yield()
        log.add("asynchronous again")
      }
    _ = try await container.resolveAsync(Tracked.self)
    _ = try await container.resolveAsync(Tracked.self)
    XCTAssertEqual(log.entries, ["asynchronous", "synchronous", "asynchronous again"])
  }

  func testAnAsynchronousActionMakesTheRegistrationAsynchronous() async throws {
    for scope in [
      AnyScope.transient, .singleton, .weak, .graph, .scoped, .cached(for: .seconds(60)),
    ] {
      let scoped = Container().makeScope()
      try scoped.register(Tracked.self, scope: scope) { [tracker] _ in tracker.make() }
        .afterInit { _, _ in await Task.yield() }
      XCTAssertThrowsError(try scoped.resolve(Tracked.self)) { error in
        guard case ResolutionError.asyncResolutionRequired = error else {
          return XCTFail("\(scope): \(error)")
        }
      }
      _ = try await scoped.resolveAsync(Tracked.self)
    }
  }

  func testAnActionThatThrowsLeavesNothingBehind() async throws {
    for scope in [AnyScope.transient, .singleton, .weak, .graph, .cached(for: .seconds(60))] {
      let attempts = AtomicCounter()
      let container = Container()
      try container.registerAsync(Tracked.self, scope: scope) { [tracker] _ in tracker.make() }
        .afterInit { _, _ in
          await Task.yield()
          if attempts.add() == 1 { throw FixtureError("not yet") }
        }
      await assertThrows {
        _ = try await container.resolveAsync(Tracked.self)
      } _: { error in
        XCTAssertEqual(
          (error as? ResolutionError)?.underlyingError as? FixtureError, FixtureError("not yet"))
      }
      await tracker.waitUntilNoneIsLeft()
      XCTAssertEqual(tracker.alive, 0, "\(scope)")
      _ = try await container.resolveAsync(Tracked.self)
      XCTAssertEqual(attempts.value, 2, "\(scope)")
    }
  }

  func testACircleCanBeResolvedFromEachEnd() async throws {
    for scope in [AnyScope.singleton, .weak, .graph, .scoped] {
      for shape in Loop.Shape.allCases {
        for first in 0..<shape.count {
          let created = tracker.created
          let container = Container().makeScope()
          try Loop(tracker, scope).addAsync(shape, to: container)
          let companion = try await Loop.resolveAsync(first, from: container)
          XCTAssert(
            Loop.isWhole(companion, of: shape.count), "\(scope), \(shape) from \(first)")
          XCTAssertEqual(tracker.created - created, shape.count, "\(scope), \(shape)")
          companion.part()
        }
      }
    }
    await tracker.waitUntilNoneIsLeft()
    XCTAssertEqual(tracker.alive, 0)
  }

  func testTheSideThatGotAnEarlyReferenceFailsWithIt() async throws {
    for shape in Loop.Shape.allCases {
      for first in 0..<shape.count {
        let failure = Loop.Failure(of: Loop.A.self)
        let container = Container()
        try Loop(tracker, .singleton, failing: failure).addAsync(shape, to: container)
        for index in 0..<shape.count {
          await assertThrows {
            _ = try await Loop.resolveAsync((first + index) % shape.count, from: container)
          }
        }
        failure.end()
        let companion = try await Loop.resolveAsync(first, from: container)
        XCTAssert(Loop.isWhole(companion, of: shape.count), "\(shape) from \(first)")
        companion.part()
      }
    }
  }

  func testACircleOfBothKindsOfRegistrationsCanBeResolvedFromEachEnd() async throws {
    for first in 0..<2 {
      let container = Container()
      let circle = Loop(tracker, .singleton)
      try circle.addAsync(Loop.A.self, to: container) {
        try await $0.resolveAsync(CompanionOf<Loop.B>.self)
      }
      try container.register(CompanionOf<Loop.B>.self) { [tracker] _ in CompanionOf(tracker) }
        .as(.singleton)
        .afterInit { resolver, companion in
          companion.other = try await resolver.resolveAsync(CompanionOf<Loop.A>.self)
          companion.complete()
        }
      let companion = try await Loop.resolveAsync(first, from: container)
      XCTAssert(Loop.isWhole(companion, of: 2))
      companion.part()
    }
  }

  func testANestedTaskOfAnActionIsAPartOfTheResolution() async throws {
    try Loop(tracker, .singleton).addAsync(Loop.A.self, to: container) {
      try await $0.resolveAsync(CompanionOf<Loop.B>.self)
    }
    try Loop(tracker, .singleton).addAsync(
      Loop.B.self, to: container,
      afterInitNeeds: { resolver in
        try await Task { try await resolver.resolveAsync(CompanionOf<Loop.A>.self) }.value
      })
    let companion = try await Loop.resolveAsync(1, from: container)
    XCTAssert(Loop.isWhole(companion, of: 2))
    companion.part()
  }
}
