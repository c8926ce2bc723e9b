// SPDX-License-Identifier: MIT

import Corinth
import Foundation
import TestSupport
import XCTest

/// Many tasks that wait for one slow asynchronous singleton.
final class AsyncSingletonStressTests: StressTestCase {
  private let tasks = StressSize.scaled(1000)
  private let tracker = LifetimeTracker()

  /// Tasks that all wait for one singleton, whose factory has begun and waits too.
  private struct Waiters: Sendable {
    let container = Container()
    let lobby = Lobby()
    let gate = AsyncGate()
    let begun = AsyncGate()
    let wereCancelled = EventLog()
    private let tracker: LifetimeTracker

    init(_ tracker: LifetimeTracker) throws {
      self.tracker = tracker
      try container.registerAsync(Tracked.self) { [gate, begun, wereCancelled] _ in
        begun.open()
        await gate.wait()
        wereCancelled.add("\(Task.isCancelled)")
        return tracker.make()
      }.as(.singleton)
    }

    func start(_ count: Int) async -> [Task<Int, any Error>] {
      let tasks = (0..<count).map { _ in
        Task { [lobby, container] in
          try await lobby.enter { try await container.resolveAsync(Tracked.self).serial }
        }
      }
      await lobby.waitForSuspension(of: count)
      await begun.wait()
      return tasks
    }
  }

  private func isCancellation(_ result: Result<Int, any Error>) -> Bool {
    guard case .failure(let error) = result else { return false }
    return (error as? ResolutionError)?.underlyingError is CancellationError
  }

  func testAThousandTasksShareOneConstruction() async throws {
    do {
      let waiters = try Waiters(tracker)
      let tasks = await waiters.start(tasks)
      waiters.gate.open()
      for task in tasks {
        let serial = try await task.value
        XCTAssertEqual(serial, 1)
      }
    }
    await tracker.waitUntilNoneIsLeft()
    XCTAssertEqual(tracker.created, 1)
    assertNoneLeft(tracker)
  }

  func testHalfOfAThousandTasksAreCancelled() async throws {
    do {
      let waiters = try Waiters(tracker)
      let tasks = await waiters.start(tasks)
      for (index, task) in tasks.enumerated() where index % 2 == 0 { task.cancel() }
      // These come back while the factory still waits.
      for (index, task) in tasks.enumerated() where index % 2 == 0 {
        let result = await task.result
        XCTAssert(isCancellation(result), "\(result)")
      }
      waiters.gate.open()
      for (index, task) in tasks.enumerated() where index % 2 == 1 {
        let serial = try await task.value
        XCTAssertEqual(serial, 1)
      }
      XCTAssertEqual(waiters.wereCancelled.entries, ["false"])
    }
    await tracker.waitUntilNoneIsLeft()
    XCTAssertEqual(tracker.created, 1)
    assertNoneLeft(tracker)
  }

  func testAllOfAThousandTasksAreCancelled() async throws {
    do {
      let waiters = try Waiters(tracker)
      let tasks = await waiters.start(tasks)
      for task in tasks { task.cancel() }
      for task in tasks {
        let result = await task.result
        XCTAssert(isCancellation(result), "\(result)")
      }
      waiters.gate.open()
      _ = try await waiters.container.resolveAsync(Tracked.self)
      XCTAssertEqual(waiters.wereCancelled.entries.first, "true")
    }
    await tracker.waitUntilNoneIsLeft()
    assertNoneLeft(tracker)
  }

  /// Cancellation at any moment: before, while and after the task begins to wait, and when the
  /// instance is ready.
  func testCancellationRacesWithTheConstruction() async throws {
    for _ in 0..<StressSize.scaled(200, sanitized: 40) {
      let container = Container()
      let builds = AtomicCounter()
      try container.registerAsync(Tracked.self) { [tracker] _ in
        builds.add()
        await Task.yield()
        return tracker.make()
      }.as(.singleton)
      let tasks = (0..<8).map { _ in
        Task { try await container.resolveAsync(Tracked.self).serial }
      }
      for index in 0..<7 {
        tasks[index].cancel()
        await Task.yield()
      }
      let last = try await tasks[7].value
      for task in tasks.dropLast() {
        let result = await task.result
        if case .success(let serial) = result {
          XCTAssertEqual(serial, last)
        } else {
          XCTAssert(isCancellation(result), "\(result)")
        }
      }
      XCTAssertEqual(builds.value, 1, "one of them waited all the time")
    }
    await tracker.waitUntilNoneIsLeft()
    assertNoneLeft(tracker)
  }

  /// A resolve that came during an attempt shares the error of the next one, unless it begins that
  /// itself.
  func testNobodySeesMoreThanTwoFailures() async throws {
    for _ in 0..<StressSize.scaled(50, sanitized: 10) {
      let container = Container()
      let attempts = AtomicCounter()
      let (lobby, gate) = (Lobby(), AsyncGate())
      try container.registerAsync(Tracked.self) { [tracker] _ in
        let attempt = attempts.add()
        await gate.wait()
        if attempt <= 2 { throw Attempt(number: attempt) }
        return tracker.make()
      }.as(.singleton)
      let tasks = (0..<8).map { _ in
        Task { try await lobby.enter { try await container.resolveAsync(Tracked.self).serial } }
      }
      await lobby.waitForSuspension(of: 8)
      gate.open()
      var errors: [Int] = []
      var serials: [Int] = []
      for task in tasks {
        switch await task.result {
        case .success(let serial): serials.append(serial)
        case .failure(let error):
          let attempt = (error as? ResolutionError)?.underlyingError as? Attempt
          errors.append(try XCTUnwrap(attempt, "\(error)").number)
        }
      }
      XCTAssertEqual(errors.filter { $0 == 1 }.count, 1, "the first failure is that of one task")
      XCTAssertGreaterThan(errors.filter { $0 == 2 }.count, 0)
      XCTAssertEqual(errors.count + serials.count, 8)
      // Who has not begun to wait again when the second attempt fails may begin a third one.
      XCTAssertLessThanOrEqual(attempts.value, 3)
      XCTAssertLessThanOrEqual(Set(serials).count, 1)
      let later = try await container.resolveAsync(Tracked.self).serial
      XCTAssert(serials.allSatisfy { $0 == later })
    }
    await tracker.waitUntilNoneIsLeft()
    assertNoneLeft(tracker)
  }

  private struct Attempt: Error {
    let number: Int
  }

  /// More tasks wait than the pool has threads; what they wait for comes from a task of the same
  /// pool.
  func testNoThreadIsBlocked() async throws {
    let waiters = try Waiters(tracker)
    let tasks = await waiters.start(4 * ProcessInfo.processInfo.activeProcessorCount)
    let unrelated = Task {
      for _ in 0..<100 { await Task.yield() }
      waiters.gate.open()
    }
    await unrelated.value
    for task in tasks { _ = try await task.value }
    XCTAssertEqual(tracker.created, 1)
  }

  /// A thread builds a synchronous singleton that tasks wait for: they suspend, or the pool would
  /// be used up and the task that lets the thread go on would never run.
  func testTasksThatWaitForAThreadSuspend() async throws {
    let container = Container()
    let (building, goOn) = (AsyncGate(), Gate())
    try container.register(Tracked.self) { [tracker] _ in
      building.open()
      goOn.wait()
      return tracker.make()
    }.as(.singleton)
    let thread = JoinableThread { try container.resolve(Tracked.self).serial }
    await building.wait()
    let lobby = Lobby()
    let tasks = (0..<4 * ProcessInfo.processInfo.activeProcessorCount).map { _ in
      Task { try await lobby.enter { try await container.resolveAsync(Tracked.self).serial } }
    }
    await lobby.waitForSuspension(of: tasks.count)
    await Task { goOn.open() }.value
    for task in tasks {
      let serial = try await task.value
      XCTAssertEqual(serial, 1)
    }
    XCTAssertEqual(try thread.join().get(), 1)
  }
}
