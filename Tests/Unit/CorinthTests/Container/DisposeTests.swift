// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

/// Instances that are released and disposed of in one call.
final class DisposeTests: ShutdownTestCase {
  func testTheInstanceIsDisposedOfAndTheNextResolveBuildsAnother() async throws {
    try add(A.self)
    let container = container
    let first = try container.resolve(NodeA.self)
    let wasThere = try await container.release(NodeA.self, disposing: true)
    XCTAssertTrue(wasThere)
    XCTAssertEqual(log.entries, ["A"])
    XCTAssert(try container.resolve(NodeA.self) !== first)
    try await container.shutdown()
    XCTAssertEqual(log.entries, ["A", "A"], "the second one at the end")
  }

  func testWithoutDisposingTheInstanceIsOnlyReleased() async throws {
    try add(A.self)
    let container = container
    let first = try container.resolve(NodeA.self)
    let wasThere = try await container.release(NodeA.self, disposing: false)
    XCTAssertTrue(wasThere)
    XCTAssertEqual(log.entries, [])
    XCTAssert(try container.resolve(NodeA.self) !== first)
  }

  func testNothingIsDisposedOfWhenThereIsNoInstance() async throws {
    try add(A.self)
    let container = container
    var found = try await container.release(NodeA.self, disposing: true)
    XCTAssertFalse(found)
    found = try await container.release(NodeB.self, disposing: true)
    XCTAssertFalse(found)
    XCTAssertEqual(log.entries, [])
  }

  func testNamesAndArgumentsSelectTheRegistration() async throws {
    let container = container
    try add(A.self)
    try container.register(String.self, name: "number", scope: .singleton) {
      (_, number: Int) in "\(number)"
    }.onDispose { [log] in log.add($0) }
    _ = try container.resolve(NodeA.self)
    for number in 1...3 {
      _ = try container.resolve(String.self, name: "number", arguments: number)
    }
    var found = try await container.release(NodeA.self, name: "other", disposing: true)
    XCTAssertFalse(found)
    found = try await container.release(
      String.self, name: "number", arguments: Int.self, disposing: true)
    XCTAssertTrue(found)
    XCTAssertEqual(log.entries, ["3", "2", "1"])
  }

  func testAnInstanceThatIsBeingBuiltIsWaitedFor() async throws {
    let (container, building, mayEnd, lobby) = (container, AsyncGate(), AsyncGate(), Lobby())
    try container.registerAsync(NodeA.self) { [tracker] _ in
      building.open()
      await mayEnd.wait()
      return CompanionOf(tracker)
    }.as(.singleton).onDispose { [log] in log.add("disposed of \($0.serial)") }
    let resolving = Task { try await container.resolveAsync(NodeA.self).serial }
    await building.wait()
    let disposing = Task {
      try await lobby.enter { try await container.release(NodeA.self, disposing: true) }
    }
    await lobby.waitForSuspension(of: 1)
    XCTAssertEqual(log.entries, [])
    mayEnd.open()
    let serial = try await resolving.value
    let found = try await disposing.value
    XCTAssertTrue(found)
    XCTAssertEqual(log.entries, ["disposed of \(serial)"])
  }

  /// It was never disposed of.
  func testAnInstanceThatIsCompleteAfterTheTimeLimitIsDisposedOfThen() async throws {
    let (container, log, building, mayEnd) = (container, log, AsyncGate(), AsyncGate())
    let isDisposedOf = AsyncGate()
    try container.registerAsync(NodeA.self) { [tracker] _ in
      building.open()
      await mayEnd.wait()
      return CompanionOf(tracker)
    }.as(.singleton).onDispose { _ in
      log.add("disposed of")
      isDisposedOf.open()
    }
    let resolving = Task { try await container.resolveAsync(NodeA.self).serial }
    await building.wait()
    let failures = await failures {
      try await container.release(NodeA.self, disposing: true, timeLimit: .milliseconds(10))
    }
    XCTAssert(failures.first?.error is TimeLimitExceeded)
    mayEnd.open()
    _ = try await resolving.value
    await isDisposedOf.wait()
    try await container.shutdown()
    XCTAssertEqual(log.entries, ["disposed of"])
  }

  /// Those that waited for a construction that failed were told that nothing is registered.
  func testAResolveThatWaitedForAFailedAttemptBuildsAnotherInstanceMeanwhile() async throws {
    struct Broken: Error {}
    let (container, tracker) = (container, tracker)
    for round in 0..<200 {
      let (building, mayFail, attempts) = (AsyncGate(), AsyncGate(), AtomicCounter())
      try container.registerAsync(NodeA.self) { _ in
        guard attempts.add() == 1 else { return CompanionOf(tracker) }
        building.open()
        await mayFail.wait()
        throw Broken()
      }.as(.singleton).onDispose { _ in }
      let first = Task { try await container.resolveAsync(NodeA.self) }
      await building.wait()
      let others = (0..<4).map { _ in
        Task { try await container.resolveAsyncIfRegistered(NodeA.self) }
      }
      let disposing = (0..<2).map { _ in
        Task { try await container.release(NodeA.self, disposing: true) }
      }
      if round % 2 == 0 { await Task.yield() }
      mayFail.open()
      for other in others {
        do {
          let instance = try await other.value
          XCTAssertNotNil(instance)
        } catch { XCTAssertTrue(error.is(.underlyingError), "\(error)") }
      }
      for task in disposing { _ = try await task.value }
      _ = await first.result
    }
  }

  func testErrorsAndTimeLimitsAreReportedAndTheInstanceIsGone() async throws {
    struct Broken: Error {}
    let container = container
    try add(A.self).onDispose { _ in throw Broken() }.onDispose { _ in
      try await Task.sleep(for: .seconds(3600))
    }
    let first = try container.resolve(NodeA.self)
    let failures = await failures {
      try await container.release(NodeA.self, disposing: true, timeLimit: .seconds(2))
    }
    XCTAssertEqual(failures.count, 2)
    XCTAssert(failures.first?.error is TimeLimitExceeded)
    XCTAssert(failures.last?.error is Broken)
    XCTAssertEqual(log.entries, ["A"])
    XCTAssert(try container.resolve(NodeA.self) !== first)
  }

  func testAnInstanceIsDisposedOfOnceByManyCallers() async throws {
    let (container, log) = (container, log)
    try add(A.self)
    _ = try container.resolve(NodeA.self)
    let found = try await onTasks(6) { _ in try await container.release(NodeA.self, disposing: true)
    }
    XCTAssertEqual(found.count { $0 }, 1)
    XCTAssertEqual(log.entries, ["A"])
  }

  func testACancelledCallerDisposesAllTheSame() async throws {
    let container = container
    try container.register(NodeA.self, scope: .singleton) { [tracker] _ in CompanionOf(tracker) }
      .onDispose { [log] _ in
        await Task.yield()
        log.add("cancelled: \(Task.isCancelled)")
      }
    _ = try container.resolve(NodeA.self)
    let task = Task {
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      return try await container.release(NodeA.self, disposing: true)
    }
    _ = try await task.value
    XCTAssertEqual(log.entries, ["cancelled: false"])
  }
}
