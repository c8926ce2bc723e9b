// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

/// Tasks that wait for one asynchronous construction, and leave.
final class AsyncCancellationTests: AsyncTestCase {
  private let tracker = LifetimeTracker()
  private let lobby = Lobby()
  /// Opened to let the factory go on.
  private let gate = AsyncGate()
  /// Opened when the factory has begun.
  private let begun = AsyncGate()
  /// Opened when the factory is cancelled.
  private let cancellation = AsyncGate()
  private let wasCancelled = EventLog()

  /// A singleton whose factory waits for the gate, and notes whether it has been cancelled by then.
  private func registerSlowly(scope: AnyScope = .singleton) throws {
    try container.registerAsync(Tracked.self, scope: scope) {
      [tracker, gate, begun, cancellation, wasCancelled] _ in
      begun.open()
      await withTaskCancellationHandler {
        await gate.wait()
      } onCancel: {
        cancellation.open()
      }
      wasCancelled.add("\(Task.isCancelled)")
      return tracker.make()
    }
  }

  private func waiter() -> Task<Int, any Error> {
    Task { [lobby, container] in
      try await lobby.enter { try await container.resolveAsync(Tracked.self).serial }
    }
  }

  private func assertCancelled(
    _ task: Task<Int, any Error>, file: StaticString = #filePath, line: UInt = #line
  ) async {
    await assertThrows(file: file, line: line) {
      try await task.value
    } _: { error in
      XCTAssert(
        (error as? ResolutionError)?.underlyingError is CancellationError, "\(error)",
        file: file, line: line)
    }
  }

  /// Cancels the only resolve of a companion whose factory waits for the slow singleton.
  private func assertCancellationOfTheCompanionReachesTheSlowOne(
    file: StaticString = #filePath, line: UInt = #line
  ) async throws {
    let task = Task { [container] in
      try await container.resolveAsync(CompanionOf<A>.self).serial
    }
    await begun.wait()
    task.cancel()
    await assertCancelled(task, file: file, line: line)
    // The task has left before the cancellation has reached all that it waited for.
    await cancellation.wait()
    gate.open()
    _ = try await container.resolveAsync(Tracked.self)
    XCTAssertEqual(wasCancelled.entries.first, "true", file: file, line: line)
  }

  func testOneWhoIsCancelledLeavesAlone() async throws {
    try registerSlowly()
    let tasks = (0..<4).map { _ in waiter() }
    await lobby.waitForSuspension(of: 4)
    tasks[2].cancel()
    await assertCancelled(tasks[2])
    gate.open()
    for index in [0, 1, 3] {
      let serial = try await tasks[index].value
      XCTAssertEqual(serial, 1)
    }
    XCTAssertEqual(wasCancelled.entries, ["false"])
  }

  func testTheConstructionGoesOnForThoseWhoCameAfterTheOneWhoBeganIt() async throws {
    try registerSlowly()
    let first = waiter()
    await begun.wait()
    let second = waiter()
    await lobby.waitForSuspension(of: 2)
    first.cancel()
    await assertCancelled(first)
    gate.open()
    let serial = try await second.value
    XCTAssertEqual(serial, 1)
    XCTAssertEqual(wasCancelled.entries, ["false"])
  }

  func testWhenAllHaveLeftTheConstructionIsCancelled() async throws {
    try registerSlowly()
    let tasks = (0..<3).map { _ in waiter() }
    await lobby.waitForSuspension(of: 3)
    await begun.wait()
    for task in tasks {
      task.cancel()
      await assertCancelled(task)
    }
    gate.open()
    // Waits for that construction if it is still under way.
    _ = try await container.resolveAsync(Tracked.self)
    XCTAssertEqual(wasCancelled.entries.first, "true")
  }

  func testAFactoryThatEndsWhenItIsCancelledIsRunAgainByTheNext() async throws {
    let attempts = AtomicCounter()
    try container.registerAsync(Tracked.self) { [tracker, begun] _ in
      if attempts.add() == 1 {
        begun.open()
        try await Task.sleep(for: .seconds(600))
      }
      return tracker.make()
    }.as(.singleton)
    let first = waiter()
    await begun.wait()
    first.cancel()
    await assertCancelled(first)
    let serial = try await container.resolveAsync(Tracked.self).serial
    XCTAssertEqual(serial, 1)
    XCTAssertEqual(attempts.value, 2)
  }

  /// Who comes while an abandoned construction is still ending is not failed by it.
  func testOneWhoComesAfterAllHaveLeftBuildsAnew() async throws {
    let attempts = AtomicCounter()
    try container.registerAsync(Tracked.self) { [tracker, begun, gate] _ in
      if attempts.add() == 1 {
        begun.open()
        await gate.wait()
        try Task.checkCancellation()
      }
      return tracker.make()
    }.as(.singleton)
    let first = waiter()
    await begun.wait()
    first.cancel()
    await assertCancelled(first)
    let second = waiter()
    await lobby.waitForSuspension(of: 2)
    gate.open()
    let serial = try await second.value
    XCTAssertEqual(serial, 1)
    XCTAssertEqual(attempts.value, 2)
  }

  func testATaskThatIsCancelledAlreadyBuildsNothing() async throws {
    try registerSlowly()
    gate.open()
    let cancelled = AsyncGate()
    let task = Task { [container] in
      await cancelled.wait()
      return try await container.resolveAsync(Tracked.self).serial
    }
    task.cancel()
    cancelled.open()
    await assertCancelled(task)
    XCTAssertEqual(tracker.created, 0)
    let serial = try await container.resolveAsync(Tracked.self).serial
    XCTAssertEqual(serial, 1)
  }

  func testATaskThatIsCancelledAlreadyGetsAReadyInstance() async throws {
    try registerSlowly()
    gate.open()
    let ready = try await container.resolveAsync(Tracked.self)
    let cancelled = AsyncGate()
    let task = Task { [container] in
      await cancelled.wait()
      return try await container.resolveAsync(Tracked.self)
    }
    task.cancel()
    cancelled.open()
    let found = try await task.value
    XCTAssert(found === ready)
  }

  func testCancellationReachesTheDependenciesOfWhatNobodyWaitsForAnyMore() async throws {
    try registerSlowly()
    try container.registerAsync(CompanionOf<A>.self) { [tracker] resolver in
      _ = try await resolver.resolveAsync(Tracked.self)
      return CompanionOf(tracker)
    }.as(.singleton)
    try await assertCancellationOfTheCompanionReachesTheSlowOne()
  }

  /// The cancellation of a task does not reach the tasks that it awaits. Those that had been handed
  /// the resolver of a cancelled construction began again what had failed, in random graphs without
  /// end.
  func testCancellationReachesTheTasksThatWereHandedAResolver() async throws {
    try registerSlowly()
    try container.registerAsync(CompanionOf<A>.self) { [tracker] resolver in
      let helper = Task { try await resolver.resolveAsync(Tracked.self) }
      _ = try await helper.value
      return CompanionOf(tracker)
    }.as(.singleton)
    try await assertCancellationOfTheCompanionReachesTheSlowOne()
  }

  // MARK: - Cancellation errors without a cancellation

  /// The error was taken for the cancellation of another task: each of 100 waiters made an attempt
  /// of its own.
  func testACancellationErrorOfTheFactorysOwnIsAnErrorLikeOthers() async throws {
    let (attempts, shared, container) = (AtomicCounter(), AtomicCounter(), container)
    try container.registerAsync(Int.self, scope: .singleton) { _ in
      attempts.add()
      try await Task.sleep(for: .milliseconds(20))
      throw CancellationError()
    }
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<100 {
        group.addTask {
          do { _ = try await container.resolveAsync(Int.self) } catch {
            let cause = (error as? ResolutionError)?.underlyingError
            if cause is CancellationError { shared.add() }
          }
        }
      }
    }
    XCTAssertEqual(shared.value, 100)
    XCTAssertLessThan(attempts.value, 50)
  }

  /// The same for what a factory gets from a task of its own that it has cancelled.
  func testACancellationOfAPartOfTheFactoryIsItsOwnError() async throws {
    let (attempts, failures, container) = (AtomicCounter(), AtomicCounter(), container)
    try container.registerAsync(Int.self, scope: .singleton) { resolver in
      attempts.add()
      try await Task.sleep(for: .milliseconds(20))
      let part = Task { try await resolver.resolveAsync(String.self).count }
      part.cancel()
      return try await part.value
    }
    try container.registerAsync(String.self, scope: .singleton) { _ in
      try await Task.sleep(for: .seconds(3_600))
      return ""
    }
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<100 {
        group.addTask {
          do { _ = try await container.resolveAsync(Int.self) } catch { failures.add() }
        }
      }
    }
    XCTAssertEqual(failures.value, 100)
    XCTAssertLessThan(attempts.value, 50)
  }

  func testATaskThatWasHandedTheResolverOfACancelledConstructionBeginsNothing() async throws {
    let (results, ended) = (EventLog(), AsyncGate())
    try container.registerAsync(Int.self, scope: .singleton) { _ in
      results.add("begun")
      return 7
    }
    try container.registerAsync(CompanionOf<A>.self) { [begun, gate] resolver in
      begun.open()
      await gate.wait()
      let helper = Task { try await resolver.resolveAsync(Int.self) }
      defer { ended.open() }
      do { _ = try await helper.value } catch {
        let cause = (error as? ResolutionError)?.underlyingError
        results.add(cause is CancellationError ? "cancelled" : "\(error)")
        throw error
      }
      return CompanionOf(LifetimeTracker())
    }.as(.singleton)
    let task = Task { [container] in
      try await container.resolveAsync(CompanionOf<A>.self).serial
    }
    await begun.wait()
    task.cancel()
    await assertCancelled(task)
    gate.open()
    await ended.wait()
    XCTAssertEqual(results.entries, ["cancelled"])
  }

  /// The scope is closed in a factory that is cancelled meanwhile.
  func testAClosingGoesOnInACancelledConstruction() async throws {
    let (disposed, closed) = (EventLog(), AsyncGate())
    try container.registerAsync(Tracked.self, scope: .scoped) { [tracker, begun, gate] _ in
      begun.open()
      await gate.wait()
      return tracker.make()
    }.onDispose { disposed.add("\($0.serial)") }
    try container.registerAsync(CompanionOf<A>.self) { [container, lobby, begun] _ in
      let scope = container.makeScope()
      let resolve = Task { try await scope.resolveAsync(Tracked.self) }
      await begun.wait()
      try await lobby.enter { try await scope.close() }
      closed.open()
      _ = await resolve.result
      return CompanionOf(LifetimeTracker())
    }.as(.singleton)
    let task = Task { [container] in
      try await container.resolveAsync(CompanionOf<A>.self).serial
    }
    await lobby.waitForSuspension(of: 1)
    task.cancel()
    await assertCancelled(task)
    gate.open()
    await closed.wait()
    XCTAssertEqual(disposed.entries, ["1"])
  }
}
