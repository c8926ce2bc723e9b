// SPDX-License-Identifier: MIT

import TestSupport
import XCTest

@testable import Corinth

/// Which tasks are a part of the construction that a task runs.
final class TaskMembershipTests: AsyncTestCase {
  private let context = ResolutionContext(requestedBy: nil)

  private static func isRunning(_ context: ResolutionContext) -> Bool {
    ResolutionContext.runningInTask === context
  }

  private static func isPart(of context: ResolutionContext) -> Bool {
    ResolutionContext.runningInTask?.isNested(in: context) ?? false
  }

  func testATaskRunsAContextFromItsBeginningToItsEnd() async {
    XCTAssertNil(ResolutionContext.runningInTask)
    await context.runInTask { [context] in
      XCTAssertTrue(Self.isRunning(context))
      await Task.yield()
      XCTAssertTrue(Self.isRunning(context), "on whichever thread it goes on")
    }
    XCTAssertNil(ResolutionContext.runningInTask)
  }

  /// A copy of the value may get the address.
  func testAContextThatHasEndedIsBoundNowhere() async {
    let nowhere: UInt = 0
    await context.runInTask { [context] in XCTAssertFalse(context.isBound(at: nowhere)) }
    XCTAssertTrue(context.isBound(at: nowhere))
    await assertThrows { try await context.runInTask { throw FixtureError("refused") } }
    XCTAssertTrue(context.isBound(at: nowhere))
  }

  func testAContextEndsForTheTaskWhenItsBodyThrows() async {
    await assertThrows {
      try await context.runInTask { throw FixtureError("refused") }
    }
    XCTAssertNil(ResolutionContext.runningInTask)
  }

  func testAnInnerContextHidesTheOuterOne() async {
    let inner = ResolutionContext(requestedBy: nil)
    await context.runInTask { [context] in
      await inner.runInTask { XCTAssertTrue(Self.isRunning(inner)) }
      XCTAssertTrue(Self.isRunning(context))
    }
  }

  func testWhatTheThreadRunsHidesWhatTheTaskRuns() async {
    let inner = ResolutionContext(requestedBy: nil)
    await context.runInTask { [context] in
      XCTAssertTrue(ResolutionContext.current === context)
      inner.whileRunning { XCTAssertTrue(ResolutionContext.current === inner) }
      XCTAssertTrue(ResolutionContext.current === context)
    }
  }

  func testAContextMadeInATaskIsEnclosedByTheOneThatTheTaskRuns() async {
    await context.runInTask { [context] in
      XCTAssertTrue(ResolutionContext(requestedBy: nil).enclosing === context)
    }
  }

  func testOneContextIsContinuedByTwoTasks() async {
    let both = await context.runInTask { [context] in
      let tasks = (0..<2).map { _ in
        Task {
          await ResolutionContext.continuing(context) {
            await Task.yield()
            return Self.isPart(of: context)
          }
        }
      }
      var both = 0
      for task in tasks where await task.value { both += 1 }
      XCTAssertTrue(Self.isRunning(context))
      return both
    }
    XCTAssertEqual(both, 2)
  }

  func testABodyMayContinueAContextOrNone() async {
    let found = await ResolutionContext.continuing(context) { [context] in Self.isPart(of: context)
    }
    XCTAssertTrue(found)
    let isNone = await ResolutionContext.continuing(nil) { ResolutionContext.runningInTask == nil }
    XCTAssertTrue(isNone)
  }

  // MARK: - Child tasks

  func testAChildTaskIsAPartOfTheContext() async {
    let found = await context.runInTask { [context] in
      async let child = Self.isRunning(context)
      return await child
    }
    XCTAssertTrue(found)
  }

  func testTasksOfAGroupAreAPartOfTheContext() async {
    let count = await context.runInTask { [context] in
      await withTaskGroup(of: Bool.self) { group in
        for _ in 0..<20 { group.addTask { Self.isRunning(context) } }
        return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
      }
    }
    XCTAssertEqual(count, 20)
  }

  func testAChildTaskOfAChildTaskIsAPartOfTheContext() async {
    let found = await context.runInTask { [context] in
      async let child = withTaskGroup(of: Bool.self) { group in
        group.addTask {
          await Task.yield()
          async let grandchild = Self.isRunning(context)
          return await grandchild
        }
        return await group.next() ?? false
      }
      return await child
    }
    XCTAssertTrue(found)
  }

  func testAChildTaskOfAnInnerContextIsNotAPartOfTheOuterOne() async {
    let inner = ResolutionContext(requestedBy: nil)
    await context.runInTask { [context] in
      await inner.runInTask {
        async let child = Self.isRunning(inner)
        let isInner = await child
        XCTAssertTrue(isInner)
      }
      async let child = Self.isRunning(context)
      let isOuter = await child
      XCTAssertTrue(isOuter)
    }
  }

  // MARK: - Other tasks

  /// It may run when the context is over, and the context does not wait for it.
  func testAnUnstructuredTaskIsNotAPartOfTheContext() async {
    let found = await context.runInTask {
      await Task { ResolutionContext.runningInTask == nil }.value
    }
    XCTAssertTrue(found)
  }

  func testADetachedTaskIsNotAPartOfTheContext() async {
    let found = await context.runInTask {
      await Task.detached { ResolutionContext.runningInTask == nil }.value
    }
    XCTAssertTrue(found)
  }

  func testAChildOfAnUnstructuredTaskIsNotAPartOfTheContext() async {
    let found = await context.runInTask {
      await Task {
        async let child = ResolutionContext.runningInTask == nil
        return await child
      }.value
    }
    XCTAssertTrue(found)
  }

  func testAnUnstructuredTaskMayRunAContextOfItsOwn() async {
    let inner = ResolutionContext(requestedBy: nil)
    let found = await context.runInTask {
      await Task { await inner.runInTask { Self.isRunning(inner) } }.value
    }
    XCTAssertTrue(found)
  }

  /// The memory of the value may be used again when the context has ended, and a copy of the copy
  /// end up there.
  func testNoCopyOfACopyIsAPartOfTheContext() async {
    let context = context
    for _ in 0..<StressSize.scaled(200) {
      let gate = AsyncGate()
      async let made = Self.copy(of: context, going: gate)
      let copy = await made
      gate.open()
      let members = await copy.value
      XCTAssertEqual(members, 0)
    }
  }

  private static func copy(
    of context: ResolutionContext, going gate: AsyncGate
  ) async -> Task<Int, Never> {
    await ResolutionContext.continuing(context) {
      Task {
        await gate.wait()
        return await membersAmongCopies()
      }
    }
  }

  private static func membersAmongCopies() async -> Int {
    var members = 0
    for _ in 0..<10 {
      members += await Task { ResolutionContext.runningInTask == nil ? 0 : 1 }.value
    }
    return members
  }

  func testATaskThatOutlivesTheContextKeepsItAndNoLonger() async {
    weak var left: ResolutionContext?
    let gate = AsyncGate()
    let task: Task<Void, Never>
    do {
      let context = ResolutionContext(requestedBy: nil)
      left = context
      task = await context.runInTask { Task { await gate.wait() } }
    }
    gate.open()
    await task.value
    // The value of a task that has ended is released a moment later, and nothing tells when.
    await waitUntil { left == nil }
    XCTAssertNil(left)
  }

  // MARK: - In a container

  /// A child task that asks for what is being built is in a cycle, whichever way it asks; a task
  /// that the factory does not wait for waits.
  func testAChildTaskOfAFactoryFindsACycleAndAnotherTaskWaits() async throws {
    let (container, log) = (container, EventLog())
    let outside = AsyncGate()
    try container.registerAsync(Int.self, scope: .singleton) { [unowned container] _ in
      async let child = outcome { try await container.resolveAsync(Int.self) }
      if case .failure(let error) = await child,
        case .circularDependencyDetected? = error as? ResolutionError
      {
        log.add("cycle")
      }
      Task {
        log.add("found \(try await container.resolveAsync(Int.self))")
        outside.open()
      }
      return 7
    }
    let found = try await container.resolveAsync(Int.self)
    await outside.wait()
    XCTAssertEqual(found, 7)
    XCTAssertEqual(log.entries, ["cycle", "found 7"])
  }
}
