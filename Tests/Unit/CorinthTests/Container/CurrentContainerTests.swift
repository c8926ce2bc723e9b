// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

final class CurrentContainerTests: ContainerTestCase {
  func testThereIsNoneAtFirst() {
    XCTAssertNil(Container.current)
  }

  func testAContainerIsCurrentWithinTheBodyOnly() throws {
    let inner = Container(parent: container)
    let result = container.withCurrent {
      XCTAssertTrue(Container.current === container)
      inner.withCurrent { XCTAssertTrue(Container.current === inner) }
      XCTAssertTrue(Container.current === container)
      return 7
    }
    XCTAssertEqual(result, 7)
    XCTAssertNil(Container.current)
  }

  func testTheCurrentContainerEndsWithAnError() {
    XCTAssertThrowsError(
      try container.withCurrent { throw FixtureError("body") }
    ) { XCTAssertEqual($0 as? FixtureError, FixtureError("body")) }
    XCTAssertNil(Container.current)
  }

  func testOtherThreadsDoNotSeeIt() throws {
    try container.withCurrent {
      _ = try onThreads(2) { _ in XCTAssertNil(Container.current) }
    }
  }

  func testChildTasksInheritIt() async throws {
    let container = container
    try container.register(Int.self) { _ in 1 }
    await container.withCurrent {
      await withTaskGroup(of: Bool.self) { group in
        for _ in 0..<8 {
          group.addTask {
            await Task.yield()
            return Container.current === container
          }
        }
        for await isCurrent in group { XCTAssertTrue(isCurrent) }
      }
      let inUnstructured = await Task { Container.current === container }.value
      XCTAssertTrue(inUnstructured)
      let inDetached = await Task.detached { Container.current == nil }.value
      XCTAssertTrue(inDetached)
    }
    XCTAssertNil(Container.current)
  }

  func testAContainerIsCurrentInTheFactoriesOfAResolve() throws {
    try container.register(Bool.self) { [weak container] _ in Container.current === container }
    try container.withCurrent { XCTAssertTrue(try container.resolve(Bool.self)) }
    XCTAssertFalse(try container.resolve(Bool.self))
  }

  func testAnAsynchronousFactoryHasTheOneOfItsFirstWaiter() async throws {
    try container.registerAsync(Bool.self, scope: .singleton) { resolver in
      await Task.yield()
      return Container.current === (try resolver.container)
    }
    let isCurrent = try await container.withCurrent {
      try await Container.current?.resolveAsync(Bool.self)
    }
    XCTAssertEqual(isCurrent, true)
  }

  /// A singleton reaches the request that it serves at the moment, without capturing its scope.
  func testASingletonReachesTheScopeOfTheRequestThroughIt() throws {
    let tracker = LifetimeTracker()
    try container.register(Tracked.self, scope: .scoped) { _ in tracker.make() }
    try container.register(Handler.self, scope: .singleton) { _ in Handler() }
    for serial in 1...3 {
      try container.syncWithScope { scope in
        try scope.withCurrent {
          let handler = try scope.resolve(Handler.self)
          XCTAssertEqual(try handler.serial(), serial)
          XCTAssertEqual(try handler.serial(), serial)
        }
      }
    }
    XCTAssertEqual(tracker.left, 0)
  }

  private final class Handler: Sendable {
    func serial() throws -> Int? { try Container.current?.resolve(Tracked.self).serial }
  }

  /// The factory may hide it behind the task-local container: it is captured all the same.
  func testAFactoryThatAsksTheCurrentScopeIsRefused() throws {
    try container.register(Double.self, scope: .scoped) { _ in 1 }
    try container.register([Double].self, scope: .singleton) { _ in
      [try XCTUnwrap(Container.current).resolve(Double.self)]
    }
    try container.syncWithScope { scope in
      try scope.withCurrent {
        XCTAssertThrowsError(try scope.resolve([Double].self)) { error in
          guard case ResolutionError.captiveDependency(let context) = error else {
            return XCTFail("\(error)")
          }
          XCTAssertEqual(context.captor?.description, "[Double]")
        }
      }
    }
  }
}
