// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

private final class Pool: Sendable {}
private final class Queue: Sendable {
  init(pool: Pool) {}
}
private final class Worker: Sendable {
  init(queue: Queue) {}
  init(queue: Queue, check: Check) {}
  init(check: Check, queue: Queue) {}
}
private final class Check: Sendable {
  init(queue: Queue) {}
}

/// What `warmUp()` builds on its way to eager singletons is there when synchronous factories need
/// it.
final class WarmUpValidationTests: ContainerTestCase {
  private func register() throws {
    try container.wire(Check.self, using: Check.init(queue:))
    try container.wireAsync(Queue.self, using: Queue.init(pool:)).as(.singleton)
    try container.registerAsync(Pool.self) { _ in Pool() }.as(.singleton).eager()
  }

  private func assertWarmUpFails(_ kinds: [ValidationFinding.Kind]) async throws {
    XCTAssertEqual(findings { try container.validate() }.map(\.kind), kinds)
    do {
      try await container.warmUp()
      XCTFail("It has built a factory without what that needs.")
    } catch {}
  }

  func testASingletonThatAnEagerOneNeedsIsThere() async throws {
    try register()
    XCTAssertEqual(findings { try container.validate() }.map(\.kind), [.asynchronous])
    try container.wireAsync(Worker.self, using: Worker.init(queue:)).as(.singleton).eager()
    try await container.warmUp(validating: true)
    XCTAssertNoThrow(try container.resolve(Check.self))
  }

  func testAnInitializerResolvesItsParametersInTheirOrder() async throws {
    try register()
    try container.wireAsync(Worker.self, using: Worker.init(queue:check:)).as(.singleton).eager()
    XCTAssertNoThrow(try container.validate())
    try container.wireAsync(Worker.self, using: Worker.init(check:queue:)).as(.singleton).eager()
    try await assertWarmUpFails([.asynchronous])
  }

  func testASingletonBehindASynchronousFactoryIsNotBuilt() async throws {
    try register()
    try container.wire(Worker.self, using: Worker.init(queue:)).as(.singleton).eager()
    try await assertWarmUpFails([.asynchronous, .asynchronous])
  }

  func testAFactoryWithAsynchronousActionsBuildsNoneEither() async throws {
    try register()
    try container.wire(Worker.self, using: Worker.init(queue:)).as(.singleton).eager()
      .afterInit { _, _ async in }
      .dependsOn()
    try await assertWarmUpFails([.asynchronous, .asynchronous])
  }

  func testWhatAClosureHasFoundIsThere() async throws {
    try register()
    try container.registerAsync(Worker.self) { resolver in
      Worker(
        queue: try await resolver.resolveAsync(),
        check: try await resolver.resolveAsync(Check.self))
    }.as(.singleton).eager()
    container.recordDependencies()
    try await container.warmUp()
    container.releaseAll()
    XCTAssertNoThrow(try container.validate())
    XCTAssertEqual(try container.validate(roots: [Worker.self]).unknown, [])
  }
}
