// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

final class WarmUpAsyncTests: AsyncTestCase {
  private typealias NodeA = CompanionOf<A>
  private typealias NodeB = CompanionOf<B>
  private typealias NodeC = CompanionOf<C>
  private let tracker = LifetimeTracker()
  private let log = EventLog()

  private func add<Tag>(
    _ tag: Tag.Type, needing dependency: (@Sendable (Resolver) async throws -> Void)? = nil
  ) throws -> Registration<CompanionOf<Tag>> {
    try container.registerAsync(CompanionOf<Tag>.self) { [tracker, log] resolver in
      try await dependency?(resolver)
      await Task.yield()
      log.add("\(tag)")
      return CompanionOf(tracker)
    }.as(.singleton)
  }

  func testEagerSingletonsOfBothKindsAreBuilt() async throws {
    try add(A.self).eager()
    try container.register(NodeB.self) { [tracker, log] _ in
      log.add("B")
      return CompanionOf(tracker)
    }.as(.singleton).eager()
    _ = try add(C.self)
    try await container.warmUp()
    XCTAssertEqual(log.entries, ["A", "B"])
    XCTAssertNoThrow(try container.resolve(NodeA.self), "the instance is there")
    XCTAssertNoThrow(try container.resolve(NodeB.self))
    XCTAssertEqual(tracker.created, 2)
  }

  func testWhatTheyDependOnIsBuiltFirst() async throws {
    try add(A.self) { _ = try await $0.resolveAsync(NodeB.self) }.eager()
    try add(B.self) { _ = try await $0.resolveAsync(NodeC.self) }.eager()
    _ = try add(C.self)
    try await container.warmUp()
    XCTAssertEqual(log.entries, ["C", "B", "A"])
  }

  func testCallingItAgainBuildsWhatIsMissing() async throws {
    try add(A.self).eager()
    try await container.warmUp()
    try await container.warmUp()
    XCTAssertEqual(log.entries, ["A"])
    try add(B.self).eager()
    try await container.warmUp()
    XCTAssertEqual(log.entries, ["A", "B"])
  }

  func testAllFailuresAreReportedTogether() async throws {
    try add(A.self) { _ in throw FixtureError("no disk") }.eager()
    try add(B.self).eager()
    try add(C.self) { _ = try await $0.resolveAsync(Int.self) }.eager()
    do {
      try await container.warmUp()
      XCTFail("no error")
    } catch let error as ResolutionError {
      XCTAssertEqual(
        error.failures.map(\.path[0].description), ["CompanionOf<A>", "CompanionOf<C>"])
      XCTAssertEqual(
        error.failures.first?.underlyingError as? FixtureError, FixtureError("no disk"))
    }
    XCTAssertEqual(log.entries, ["B"])
    XCTAssertNoThrow(try container.resolve(NodeB.self))
  }

  // Each eager singleton repeated the whole message about the one that all of them lack.
  func testFailuresOfOneCauseAreToldTogether() throws {
    final class Pool: Sendable { init() throws { throw FixtureError("refused") } }
    try container.register(Pool.self, file: "App/Pool.swift", line: 1) { _ in try Pool() }
      .as(.singleton)
    try container.register(Int.self, file: "App/Jobs.swift", line: 2) { r in
      _ = try r.resolve(Pool.self)
      return 1
    }.as(.singleton).eager()
    try container.register(String.self, file: "App/Jobs.swift", line: 3) { r in
      "\(try r.resolve(Int.self))"
    }.as(.singleton).eager()
    try container.register(Bool.self, file: "App/Jobs.swift", line: 4) { _ in
      throw FixtureError("unknown")
    }.as(.singleton).eager()
    XCTAssertThrowsError(try container.syncWarmUp()) { error in
      XCTAssertEqual(error.collectedFailures?.count, 3)
      assertGolden("warm-up-one-cause", "\(error)")
    }
  }

  func testTheSynchronousOneReportsAsynchronousRegistrations() async throws {
    try add(A.self).eager()
    let container = container
    @Sendable func warmUp() throws { try container.syncWarmUp() }
    XCTAssertThrowsError(try warmUp()) { error in
      guard case .asyncResolutionRequired? = error.collectedFailures?.first else {
        return XCTFail("\(error)")
      }
    }
    try await container.warmUp()
    XCTAssertNoThrow(try warmUp(), "it is there now")
  }

  func testOnlyASingletonCanBeEager() async throws {
    for scope in [AnyScope.transient, .weak, .graph, .scoped, .cached(for: .seconds(60))] {
      try container.registerAsync(NodeA.self, scope: scope) { [tracker] _ in
        CompanionOf(tracker)
      }.eager()
      await assertThrows {
        try await container.warmUp()
      } _: { error in
        XCTAssertEqual(
          error.collectedFailures?.first?.underlyingError as? RegistrationError,
          .eagerRequiresSingleton, "\(scope)")
      }
    }
  }

  func testTasksThatWarmUpTogetherBuildOnce() async throws {
    try add(A.self) { _ = try await $0.resolveAsync(NodeB.self) }.eager()
    try add(B.self).eager()
    try await onTasks(8) { [container] _ in try await container.warmUp() }
    XCTAssertEqual(tracker.created, 2)
  }

  func testCancellationIsReportedForWhatWasNotThere() async throws {
    let begun = AsyncGate()
    try add(A.self) { _ in
      begun.open()
      try await Task.sleep(for: .seconds(600))
    }.eager()
    try add(B.self).eager()
    let task = Task { [container] in try await container.warmUp() }
    await begun.wait()
    task.cancel()
    await assertThrows {
      try await task.value
    } _: { error in
      let errors = error.collectedFailures?.map(\.underlyingError)
      XCTAssertEqual(errors?.count, 2)
      XCTAssert(errors?.allSatisfy { $0 is CancellationError } ?? false)
    }
  }
}
