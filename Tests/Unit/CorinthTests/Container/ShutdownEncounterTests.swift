// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

/// Shutdowns that meet each other, failures or constructions.
final class ShutdownEncounterTests: ShutdownTestCase {
  // MARK: - Again

  func testShuttingDownTwiceDisposesOnce() async throws {
    try add(A.self)
    _ = try container.resolve(NodeA.self)
    try await container.shutdown()
    try await container.shutdown()
    try await container.close()
    XCTAssertEqual(log.entries, ["A"])
  }

  func testTheOneWhoComesSecondWaitsForTheFirst() async throws {
    let (begun, gate, lobby) = (AsyncGate(), AsyncGate(), Lobby())
    try add(A.self).onDispose { [log] _ in
      begun.open()
      await gate.wait()
      log.add("waited")
    }
    _ = try container.resolve(NodeA.self)
    let first = Task { [container] in try await container.shutdown() }
    await begun.wait()
    let second = Task { [container, log] in
      try await lobby.enter {
        try await container.shutdown()
        log.add("second")
      }
    }
    await lobby.waitForSuspension(of: 1)
    gate.open()
    try await first.value
    try await second.value
    XCTAssertEqual(log.entries, ["waited", "A", "second"])
  }

  func testShuttingDownFromWithinADisposer() async throws {
    try add(A.self).onDispose { [log, weak container] _ in
      try await container?.shutdown()
      log.add("inner")
    }
    _ = try container.resolve(NodeA.self)
    try await container.shutdown()
    XCTAssertEqual(log.entries, ["inner", "A"])
  }

  func testShuttingDownFromATaskOfADisposer() async throws {
    try add(A.self).onDispose { [log, weak container] _ in
      try await Task { try await container?.shutdown() }.value
      log.add("inner")
    }
    _ = try container.resolve(NodeA.self)
    try await container.shutdown()
    XCTAssertEqual(log.entries, ["inner", "A"])
  }

  func testTheCallersCancellationChangesNothing() async throws {
    let (begun, gate) = (AsyncGate(), AsyncGate())
    try add(A.self).onDispose { [log] _ in
      begun.open()
      await gate.wait()
      log.add("\(Task.isCancelled)")
    }
    _ = try container.resolve(NodeA.self)
    let task = Task { [container] in try await container.shutdown() }
    await begun.wait()
    task.cancel()
    gate.open()
    try await task.value
    XCTAssertEqual(log.entries, ["false", "A"])
  }

  /// The closing counted as one that wants the instance: it waited for ten minutes.
  func testAConstructionThatOnlyTheClosingWaitsForIsCancelled() async throws {
    let (container, log, building, lobby) = (container, log, AsyncGate(), Lobby())
    try container.registerAsync(NodeA.self) { [tracker] _ in
      building.open()
      do { try await Task.sleep(for: .seconds(600)) } catch {
        log.add("cancelled")
        throw error
      }
      return CompanionOf(tracker)
    }.as(.singleton)
    let resolving = Task { try await container.resolveAsync(NodeA.self) }
    await building.wait()
    let closing = Task { try await lobby.enter { try await container.close() } }
    await lobby.waitForSuspension(of: 1)
    try await Task.sleep(for: .milliseconds(20))
    XCTAssertEqual(log.entries, [], "it is still wanted")
    resolving.cancel()
    try await closing.value
    XCTAssertEqual(log.entries, ["cancelled"])
    _ = await resolving.result
  }

  // MARK: - Failures

  func testOneThatThrowsKeepsNoOtherFromRunning() async throws {
    try add(A.self)
    try add(B.self).onDispose { _ in throw FixtureError("no disk") }
    try add(C.self).onDispose { _ in
      await Task.yield()
      throw FixtureError("no network")
    }
    _ = try container.resolve(NodeA.self)
    _ = try container.resolve(NodeB.self)
    _ = try container.resolve(NodeC.self)
    let failures = await failures { [container] in try await container.shutdown() }
    XCTAssertEqual(failures.map(\.key.description), ["CompanionOf<C>", "CompanionOf<B>"])
    XCTAssertEqual(
      failures.map { $0.error as? FixtureError },
      [FixtureError("no network"), FixtureError("no disk")])
    XCTAssertEqual(log.entries, ["C", "B", "A"])
    XCTAssert(container.isClosed)
  }

  func testOneThatTakesTooLongIsReportedAndLeft() async throws {
    let (cancelled, ended) = (AsyncGate(), AsyncGate())
    try add(A.self)
    try add(B.self).onDispose { _ in
      await withTaskCancellationHandler {
        await cancelled.wait()
      } onCancel: {
        cancelled.open()
      }
      ended.open()
    }
    _ = try container.resolve(NodeA.self)
    _ = try container.resolve(NodeB.self)
    let limit = Duration.seconds(2)
    let failures = await failures { [container] in try await container.shutdown(timeLimit: limit) }
    XCTAssertEqual(failures.map(\.key.description), ["CompanionOf<B>"])
    XCTAssertEqual((failures.first?.error as? TimeLimitExceeded)?.limit, limit)
    XCTAssertEqual(log.entries, ["B", "A"])
    await ended.wait()
  }

  // MARK: - Under construction

  func testAnAsynchronousSingletonUnderConstructionIsWaitedForAndDisposedOf() async throws {
    let (begun, gate, lobby) = (AsyncGate(), AsyncGate(), Lobby())
    try container.registerAsync(Tracked.self) { [tracker] _ in
      begun.open()
      await gate.wait()
      return tracker.make()
    }.as(.singleton).onDispose { [log] instance in log.add("\(instance.serial)") }
    let resolving = Task { [container] in try await container.resolveAsync(Tracked.self).serial }
    await begun.wait()
    let closing = Task { [container] in
      try await lobby.enter { try await container.shutdown() }
    }
    await lobby.waitForSuspension(of: 1)
    gate.open()
    let serial = try await resolving.value
    try await closing.value
    XCTAssertEqual(serial, 1)
    XCTAssertEqual(log.entries, ["1"])
  }

  func testAConstructionThatTakesTooLongIsReported() async throws {
    let (begun, gate) = (AsyncGate(), AsyncGate())
    try container.registerAsync(Tracked.self) { [tracker] _ in
      begun.open()
      await gate.wait()
      return tracker.make()
    }.as(.singleton).onDispose { [log] instance in log.add("\(instance.serial)") }
    let resolving = Task { [container] in try await container.resolveAsync(Tracked.self).serial }
    await begun.wait()
    let failures = await failures { [container] in
      try await container.shutdown(timeLimit: .milliseconds(20))
    }
    XCTAssert(failures.first?.error is TimeLimitExceeded, "\(failures)")
    gate.open()
    _ = await resolving.result
  }

  /// Each had its time after the other: the disposers that came then were omitted.
  func testConstructionsWithinEachOtherHaveOneLimit() async throws {
    try add(A.self)
    _ = try container.resolve(NodeA.self)
    let (begun, gate) = (AsyncGate(), AsyncGate())
    try container.registerAsync(Tracked.self) { [tracker] _ in
      begun.open()
      await gate.wait()
      return tracker.make()
    }.as(.singleton)
    try container.registerAsync(String.self) { resolver in
      "\(try await resolver.resolveAsync(Tracked.self).serial)"
    }.as(.singleton)
    try container.registerAsync(Int.self) { resolver in
      try await resolver.resolveAsync(String.self).count
    }.as(.singleton)
    let resolving = Task { [container] in try await container.resolveAsync(Int.self) }
    await begun.wait()
    let failures = await failures { [container] in
      try await container.shutdown(timeLimit: .seconds(3), totalTimeLimit: .seconds(8))
    }
    XCTAssertEqual(log.entries, ["A"])
    XCTAssertEqual(
      failures.map { ($0.error as? TimeLimitExceeded)?.limit },
      Array(repeating: .seconds(3), count: 3))
    gate.open()
    _ = await resolving.result
  }

  func testShuttingDownFromTheFactoryOfASingleton() async throws {
    try container.registerAsync(Tracked.self) { [tracker] resolver in
      try await resolver.container.shutdown()
      return tracker.make()
    }.as(.singleton).onDispose { [log] _ in log.add("disposed") }
    _ = await outcome(of: { [container] in try await container.resolveAsync(Tracked.self).serial })
    XCTAssert(container.isClosed)
  }
}
