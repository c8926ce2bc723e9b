// SPDX-License-Identifier: MIT

import Corinth
import Foundation
import TestSupport
import XCTest

/// Circles that afterInit closes, begun at all ends at once: nobody gets an incomplete instance,
/// and nothing is built twice.
final class AfterInitStressTests: StressTestCase {
  private let rounds = StressSize.scaled(60, sanitized: 15)
  private let callers = 6
  private let tracker = LifetimeTracker()

  /// Containers or scopes that share their instances among all who ask.
  private func home(_ scope: AnyScope) -> Container {
    let container = Container()
    return scope == .scoped ? container.makeScope() : container
  }

  // MARK: - Threads

  private func resolveFromAllEnds(_ shape: Loop.Shape, _ scope: AnyScope) throws {
    for _ in 0..<rounds {
      let home = home(scope)
      try Loop(tracker, scope).add(shape, to: home)
      let created = tracker.created
      let found = try onThreads(callers) { index in
        let companion = try Loop.resolve(index % shape.count, from: home)
        return (companion, Loop.isWhole(companion, of: shape.count))
      }
      check(found, shape, builds: scope == .graph ? callers : 1, since: created)
    }
    assertNoneLeft(tracker)
  }

  private func check(
    _ found: [(companion: Companion, wasWhole: Bool)], _ shape: Loop.Shape, builds: Int,
    since created: Int, line: UInt = #line
  ) {
    let whole = found.count { $0.wasWhole }
    XCTAssertEqual(whole, found.count, "\(shape): instances were incomplete", line: line)
    XCTAssertEqual(tracker.created - created, builds * shape.count, "\(shape)", line: line)
    for (companion, _) in found { companion.part() }
  }

  func testThreadsAtAllEndsOfACircleOfSingletons() throws {
    for shape in Loop.Shape.allCases { try resolveFromAllEnds(shape, .singleton) }
  }

  func testThreadsAtAllEndsOfACircleOfWeakInstances() throws {
    for shape in Loop.Shape.allCases { try resolveFromAllEnds(shape, .weak) }
  }

  func testThreadsAtAllEndsOfACircleOfGraphInstances() throws {
    for shape in Loop.Shape.allCases { try resolveFromAllEnds(shape, .graph) }
  }

  func testThreadsAtAllEndsOfACircleOfScopedInstances() throws {
    for shape in Loop.Shape.allCases { try resolveFromAllEnds(shape, .scoped) }
  }

  // MARK: - Tasks

  private func resolveFromAllEndsAsync(_ shape: Loop.Shape, _ scope: AnyScope) async throws {
    for _ in 0..<rounds {
      let home = home(scope)
      try Loop(tracker, scope).addAsync(shape, to: home)
      let created = tracker.created
      let found = try await onTasks(callers) { index in
        let companion = try await Loop.resolveAsync(index % shape.count, from: home)
        return (companion, Loop.isWhole(companion, of: shape.count))
      }
      check(found, shape, builds: scope == .graph ? callers : 1, since: created)
    }
    await tracker.waitUntilNoneIsLeft()
    assertNoneLeft(tracker)
  }

  func testTasksAtAllEndsOfACircleOfSingletons() async throws {
    for shape in Loop.Shape.allCases { try await resolveFromAllEndsAsync(shape, .singleton) }
  }

  func testTasksAtAllEndsOfACircleOfWeakInstances() async throws {
    for shape in Loop.Shape.allCases { try await resolveFromAllEndsAsync(shape, .weak) }
  }

  func testTasksAtAllEndsOfACircleOfGraphInstances() async throws {
    for shape in Loop.Shape.allCases { try await resolveFromAllEndsAsync(shape, .graph) }
  }

  func testTasksAtAllEndsOfACircleOfScopedInstances() async throws {
    for shape in Loop.Shape.allCases { try await resolveFromAllEndsAsync(shape, .scoped) }
  }

  // MARK: - Failure

  /// While one member's action throws, whoever gets an instance at all gets a whole one; once it
  /// does not, all do.
  func testNobodySeesWhatAFailedActionLeftIncomplete() throws {
    for shape in Loop.Shape.allCases {
      for _ in 0..<rounds {
        let failure = Loop.Failure(of: Loop.A.self)
        let container = Container()
        try Loop(tracker, .singleton, failing: failure).add(shape, to: container)
        let found = try onThreads(callers) { [callers] index in
          if index == callers - 1 { failure.end() }
          guard let found = try? Loop.resolve(index % shape.count, from: container) else {
            return true
          }
          return Loop.isWhole(found, of: shape.count)
        }
        XCTAssertEqual(found.count { !$0 }, 0, "\(shape): instances were incomplete")
        for index in 0..<shape.count {
          let companion = try Loop.resolve(index, from: container)
          XCTAssert(Loop.isWhole(companion, of: shape.count), "\(shape)")
        }
        try Loop.resolve(0, from: container).part()
      }
    }
  }

  func testNoTaskSeesWhatAFailedActionLeftIncomplete() async throws {
    for shape in Loop.Shape.allCases {
      for _ in 0..<rounds {
        let failure = Loop.Failure(of: Loop.B.self)
        let container = Container()
        try Loop(tracker, .singleton, failing: failure).addAsync(shape, to: container)
        let found = try await onTasks(callers) { [callers] index in
          if index == callers - 1 { failure.end() }
          guard let found = try? await Loop.resolveAsync(index % shape.count, from: container)
          else { return true }
          return Loop.isWhole(found, of: shape.count)
        }
        XCTAssertEqual(found.count { !$0 }, 0, "\(shape): instances were incomplete")
        for index in 0..<shape.count {
          let companion = try await Loop.resolveAsync(index, from: container)
          XCTAssert(Loop.isWhole(companion, of: shape.count), "\(shape)")
        }
        try await Loop.resolveAsync(0, from: container).part()
      }
    }
  }
}
