// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

/// Tasks that build each other's dependencies get an error and never wait for ever.
final class AsyncCycleStressTests: StressTestCase {
  private let rounds = StressSize.scaled(400, sanitized: 50)
  private let tracker = LifetimeTracker()
  private typealias NodeA = CompanionOf<A>
  private typealias NodeB = CompanionOf<B>
  private typealias NodeC = CompanionOf<C>

  private func add<Tag, Other>(
    _ tag: Tag.Type, needing other: Other.Type, _ scope: AnyScope, to container: Container
  ) throws {
    try container.registerAsync(CompanionOf<Tag>.self, scope: scope) { [tracker] resolver in
      await Task.yield()
      return CompanionOf(tracker, try await resolver.resolveAsync(CompanionOf<Other>.self))
    }
  }

  private static func resolve(
    _ index: Int, from container: Container
  ) async -> Result<Int, any Error> {
    await outcome(of: {
      switch index {
      case 0: try await container.resolveAsync(NodeA.self).serial
      case 1: try await container.resolveAsync(NodeB.self).serial
      default: try await container.resolveAsync(NodeC.self).serial
      }
    })
  }

  private func assertCycle(_ result: Result<Int, any Error>, from index: Int, of count: Int) {
    let members: [any Any.Type] = [NodeA.self, NodeB.self, NodeC.self]
    let path = (0...count).map { members[(index + $0) % count] }
    StressTests.assertCycle(through: path) { try result.get() }
  }

  func testTasksAtBothEndsOfACycle() async throws {
    for scope in [AnyScope.singleton, .weak, .transient, .graph] {
      for _ in 0..<rounds {
        let container = Container()
        try add(A.self, needing: B.self, scope, to: container)
        try add(B.self, needing: A.self, scope, to: container)
        let results = try await onTasks(4) { index in
          await Self.resolve(index % 2, from: container)
        }
        for (index, result) in results.enumerated() {
          assertCycle(result, from: index % 2, of: 2)
        }
      }
    }
    XCTAssertEqual(tracker.created, 0)
  }

  func testTasksAtAllEndsOfACycleOfThree() async throws {
    for scope in [AnyScope.singleton, .weak] {
      for _ in 0..<rounds {
        let container = Container()
        try add(A.self, needing: B.self, scope, to: container)
        try add(B.self, needing: C.self, scope, to: container)
        try add(C.self, needing: A.self, scope, to: container)
        let results = try await onTasks(6) { index in
          await Self.resolve(index % 3, from: container)
        }
        for (index, result) in results.enumerated() {
          assertCycle(result, from: index % 3, of: 3)
        }
      }
    }
    XCTAssertEqual(tracker.created, 0)
  }

  /// A cycle that a task closes behind the resolver's back.
  func testACycleThroughNewTasksFromBothEnds() async throws {
    for _ in 0..<rounds {
      let container = Container()
      try container.registerAsync(NodeA.self) { [tracker] resolver in
        let other = Task { try await resolver.resolveAsync(NodeB.self) }
        return CompanionOf(tracker, try await other.value)
      }.as(.singleton)
      try container.registerAsync(NodeB.self) { [tracker] resolver in
        let other = try await withThrowingTaskGroup { group in
          for _ in 0..<2 { group.addTask { try await resolver.resolveAsync(NodeA.self) } }
          return try await group.next()
        }
        return CompanionOf(tracker, other)
      }.as(.singleton)
      let results = try await onTasks(4) { index in
        await Self.resolve(index % 2, from: container)
      }
      for result in results { StressTests.assertCycle { try result.get() } }
    }
    XCTAssertEqual(tracker.created, 0)
  }

  /// Waiting for the same instances from several sides is not a cycle.
  func testADiamondIsNeverReportedAsACycle() async throws {
    for scope in [AnyScope.singleton, .weak, .graph] {
      for _ in 0..<rounds {
        let container = Container()
        try container.registerAsync(NodeA.self, scope: scope) { [tracker] resolver in
          async let b = resolver.resolveAsync(NodeB.self)
          async let c = resolver.resolveAsync(NodeC.self)
          let (left, right) = (try await b, try await c)
          XCTAssert(left.other === right)
          return CompanionOf(tracker, left)
        }
        try add(B.self, needing: C.self, scope, to: container)
        try container.registerAsync(NodeC.self, scope: scope) { [tracker] _ in
          await Task.yield()
          return CompanionOf(tracker)
        }
        let created = tracker.created
        let results = try await onTasks(6) { index in
          await Self.resolve(index % 3, from: container)
        }
        for result in results { XCTAssertNoThrow(try result.get(), "\(scope)") }
        if scope == .singleton { XCTAssertEqual(tracker.created - created, 3) }
      }
    }
    await tracker.waitUntilNoneIsLeft()
    assertNoneLeft(tracker)
  }

  /// Threads and tasks at both ends of a cycle of synchronous singletons.
  func testThreadsAndTasksAtBothEndsOfASynchronousCycle() async throws {
    for _ in 0..<rounds {
      let container = Container()
      try container.register(NodeA.self, scope: .singleton) { [tracker] resolver in
        CompanionOf(tracker, try resolver.resolve(NodeB.self))
      }
      try container.register(NodeB.self, scope: .singleton) { [tracker] resolver in
        CompanionOf(tracker, try resolver.resolve(NodeA.self))
      }
      let thread = JoinableThread { try container.resolve(NodeA.self).serial }
      let results = try await onTasks(2) { index in
        await Self.resolve(index, from: container)
      }
      for result in results { StressTests.assertCycle { try result.get() } }
      StressTests.assertCycle { try thread.join().get() }
    }
    XCTAssertEqual(tracker.created, 0)
  }
}
