// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

private enum Trace {
  @TaskLocal static var id = "none"
}

/// Priorities and task-local values of what is built for several tasks.
final class TaskContextTests: AsyncTestCase {
  private let lobby = Lobby()
  private let gate = AsyncGate()
  private let begun = AsyncGate()
  private let log = EventLog()

  private func enter(_ priority: TaskPriority? = nil) -> Task<Int, any Error> {
    Task(priority: priority) { [lobby, container] in
      try await lobby.enter { try await container.resolveAsync(Int.self) }
    }
  }

  func testTheFactoryHasTheTaskLocalValuesOfTheFirstWaiter() async throws {
    try container.registerAsync(Int.self) { [log, gate] _ in
      log.add(Trace.id)
      await gate.wait()
      log.add(Trace.id)
      return 1
    }.as(.singleton)
    let first = Trace.$id.withValue("first") { enter() }
    await lobby.waitForSuspension(of: 1)
    let second = Trace.$id.withValue("second") { enter() }
    await lobby.waitForSuspension(of: 2)
    gate.open()
    _ = try await (first.value, second.value)
    XCTAssertEqual(log.entries, ["first", "first"])
  }

  func testActionsHaveThemToo() async throws {
    try container.registerAsync(Int.self) { _ in 1 }.as(.singleton)
      .afterInit { [log] _, _ in
        await Task.yield()
        log.add(Trace.id)
      }
    _ = try await Trace.$id.withValue("caller") { [container] in
      try await container.resolveAsync(Int.self)
    }
    XCTAssertEqual(log.entries, ["caller"])
  }

  func testDependenciesHaveThemToo() async throws {
    try container.registerAsync(Int.self) { [log] _ in
      log.add(Trace.id)
      return 1
    }.as(.singleton)
    try container.registerAsync(String.self) { resolver in
      "\(try await resolver.resolveAsync(Int.self))"
    }.as(.singleton)
    _ = try await Trace.$id.withValue("caller") { [container] in
      try await container.resolveAsync(String.self)
    }
    XCTAssertEqual(log.entries, ["caller"])
  }

  func testTheCurrentContainerIsThatOfTheFirstWaiter() async throws {
    let scope = container.makeScope()
    try container.registerAsync(Bool.self) { _ in Container.current === scope }.as(.singleton)
    let isSame = try await scope.withCurrent { try await scope.resolveAsync(Bool.self) }
    XCTAssert(isSame)
  }

  func testTheFactoryHasThePriorityOfTheOneWhoBeganIt() async throws {
    try container.registerAsync(TaskPriority.self) { _ in Task.currentPriority }.as(.graph)
    for priority in [TaskPriority.low, .medium, .high] {
      let found = await Task(priority: priority) { [container] in
        await outcome(of: { try await container.resolveAsync(TaskPriority.self) })
      }.result.get()
      // The one who waits for the task here raises it to its own.
      XCTAssertGreaterThanOrEqual(try found.get(), priority)
    }
  }

  func testAMoreUrgentWaiterRaisesThePriority() async throws {
    try container.registerAsync(Int.self) { [log, gate, begun] _ in
      log.add(Task.currentPriority == .background ? "background" : "\(Task.currentPriority)")
      begun.open()
      await gate.wait()
      log.add(Task.currentPriority >= .high ? "high" : "\(Task.currentPriority)")
      return 1
    }.as(.singleton)
    let first = enter(.background)
    await begun.wait()
    let second = enter(.high)
    await lobby.waitForSuspension(of: 2)
    gate.open()
    _ = try await (first.value, second.value)
    XCTAssertEqual(log.entries, ["background", "high"])
  }

  /// Somebody urgent comes to wait for a task that waits already, or is just about to: an
  /// escalation that came in between was lost.
  func testAWaiterThatBecomesMoreUrgentRaisesThePriority() async throws {
    for _ in 0..<100 {
      let (container, lobby, gate, begun) = (Container(), Lobby(), AsyncGate(), AsyncGate())
      try container.registerAsync(TaskPriority.self) { _ in
        begun.open()
        await gate.wait()
        return Task.currentPriority
      }.as(.singleton)
      let first = Task(priority: .background) {
        try await lobby.enter { try await container.resolveAsync(TaskPriority.self) }
      }
      await begun.wait()
      first.escalatePriority(to: .high)
      await lobby.waitForSuspension(of: 1)
      gate.open()
      let priority = try await first.value
      XCTAssertGreaterThanOrEqual(priority, .high)
    }
  }

  /// It passes through a construction to those that this one waits for.
  func testAMoreUrgentWaiterRaisesThePriorityOfDependencies() async throws {
    try container.registerAsync(String.self) { [log, gate, begun] _ in
      begun.open()
      await gate.wait()
      log.add(Task.currentPriority >= .high ? "high" : "\(Task.currentPriority)")
      return "1"
    }.as(.singleton)
    try container.registerAsync(Int.self) { [lobby] resolver in
      try await lobby.enter { try await resolver.resolveAsync(String.self).count }
    }.as(.singleton)
    let first = enter(.background)
    await begun.wait()
    let second = enter(.high)
    await lobby.waitForSuspension(of: 3)
    gate.open()
    _ = try await (first.value, second.value)
    XCTAssertEqual(log.entries, ["high"])
  }
}
