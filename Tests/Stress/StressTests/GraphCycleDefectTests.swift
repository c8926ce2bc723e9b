// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

/// Cycles of graph instances that leave their resolution, each with its story.
///
/// A resolve of the container, or a call of a provider of it, begins a resolution, which knows
/// nothing of the graph instances of the one around it. Only the construction around it tells that
/// a cycle is closed.
final class GraphCycleDefectTests: StressTestCase {
  private final class Left: Part, @unchecked Sendable {}
  private final class Right: Part, @unchecked Sendable {}
  private final class Bridge: Part, @unchecked Sendable {}

  private let tracker = LifetimeTracker()

  /// So that a test that fails comes to an end.
  @Sendable private static func check(run: Int) throws {
    if run > 1000 { throw Refused() }
  }

  /// No construction was looked for that the new resolution is a part of: each one built the
  /// instance again, until the stack had no more room.
  func testACycleThroughTheContainerIsAnErrorAtOnce() throws {
    let runs = AtomicCounter()
    try onSmallStack { [tracker] in
      let container = Container(defaultScope: .graph)
      try container.register(Left.self) { resolver in
        runs.add()
        return Left(tracker).noting(try resolver.container.resolve(Left.self))
      }
      assertCycle(through: [Left.self, Left.self]) { try container.resolve(Left.self) }
    }
    XCTAssertEqual(runs.value, 1)
    assertNoneLeft(tracker)
  }

  func testACycleThroughAProviderIsAnErrorAtOnce() throws {
    let runs = AtomicCounter()
    try onSmallStack { [tracker] in
      let container = Container(defaultScope: .graph)
      try container.register(Left.self) { resolver in
        runs.add()
        let provider = try resolver.provider(for: Left.self)
        return Left(tracker).noting(try provider())
      }
      assertCycle { try container.resolve(Left.self) }
    }
    XCTAssertEqual(runs.value, 1)
    assertNoneLeft(tracker)
  }

  /// Through two registrations, one of them transient or both of graph scope, and from both ends.
  func testAMutualCycleThroughTheContainerIsAnErrorAtOnce() throws {
    for scope in [AnyScope.graph, .transient] {
      let runs = AtomicCounter()
      try onSmallStack { [tracker] in
        let container = Container()
        try container.register(Left.self, scope: .graph) { resolver in
          runs.add()
          return Left(tracker).noting(try resolver.container.resolve(Right.self))
        }
        try container.register(Right.self, scope: scope) { resolver in
          runs.add()
          return Right(tracker).noting(try resolver.container.resolve(Left.self))
        }
        assertCycle { try container.resolve(Left.self) }
        assertCycle { try container.resolve(Right.self) }
      }
      XCTAssertLessThanOrEqual(runs.value, 6, "\(scope)")
    }
    assertNoneLeft(tracker)
  }

  /// In tasks, where there is no stack to run out of, memory did.
  func testAnAsynchronousCycleThroughTheContainerIsAnErrorAtOnce() throws {
    let (tracker, runs) = (tracker, AtomicCounter())
    assertEndsAsync {
      let container = Container(defaultScope: .graph)
      try container.registerAsync(Left.self) { resolver in
        try Self.check(run: runs.add())
        let left = Left(tracker)
        left.note(try await resolver.container.resolveAsync(Left.self))
        return left
      }
      await assertCycleAsync { try await container.resolveAsync(Left.self) }
      XCTAssertEqual(runs.value, 1)
    }
    assertNoneLeftInTasks(tracker)
  }

  /// A child task is a part of the construction whose factory waits for it.
  func testAnAsynchronousCycleThroughAChildTaskIsAnErrorAtOnce() throws {
    let (tracker, runs) = (tracker, AtomicCounter())
    assertEndsAsync {
      let container = Container(defaultScope: .graph)
      try container.registerAsync(Left.self) { resolver in
        try Self.check(run: runs.add())
        let left = Left(tracker)
        async let right = resolver.container.resolveAsync(Right.self)
        left.note(try await right)
        return left
      }
      try container.registerAsync(Right.self) { resolver in
        let other = try await withThrowingTaskGroup { group in
          group.addTask { try await resolver.container.resolveAsync(Left.self) }
          return try await group.next()
        }
        return Right(tracker).noting(try XCTUnwrap(other))
      }
      await assertCycleAsync { try await container.resolveAsync(Left.self) }
      await assertCycleAsync { try await container.resolveAsync(Right.self) }
      XCTAssertLessThanOrEqual(runs.value, 2)
    }
    assertNoneLeftInTasks(tracker)
  }

  // MARK: - With arguments

  /// The same values are a cycle. Values that count down come to an end, which no rule about
  /// registrations may forbid.
  func testACycleWithTheSameArgumentsIsAnErrorAndACountdownIsNone() throws {
    let runs = AtomicCounter()
    try onSmallStack { [tracker] in
      let container = Container(defaultScope: .graph)
      try container.register(Left.self, scope: .graph) { (resolver, number: Int) in
        try Self.check(run: runs.add())
        let left = Left(tracker)
        let next = number > 0 ? number - 1 : 0
        if number == 0 || next > 0 {
          left.note(try resolver.container.resolve(Left.self, arguments: next))
        }
        return left
      }
      assertCycle { try container.resolve(Left.self, arguments: 0) }
      XCTAssertEqual(runs.value, 1)
      XCTAssertEqual(try container.resolve(Left.self, arguments: 30).found.count, 1)
      XCTAssertEqual(runs.value, 31)
    }
    assertNoneLeft(tracker)
  }

  func testAnAsynchronousCycleWithTheSameArgumentsIsAnErrorAndACountdownIsNone() throws {
    let (tracker, runs) = (tracker, AtomicCounter())
    assertEndsAsync {
      let container = Container(defaultScope: .graph)
      try container.registerAsync(Left.self, scope: .graph) { (resolver, number: Int) in
        try Self.check(run: runs.add())
        let left = Left(tracker)
        let next = number > 0 ? number - 1 : 0
        if number == 0 || next > 0 {
          left.note(try await resolver.container.resolveAsync(Left.self, arguments: next))
        }
        return left
      }
      await assertCycleAsync { try await container.resolveAsync(Left.self, arguments: 0) }
      XCTAssertEqual(runs.value, 1)
      let found = try await container.resolveAsync(Left.self, arguments: 30).found
      XCTAssertEqual(found.count, 1)
      XCTAssertEqual(runs.value, 31)
    }
    assertNoneLeftInTasks(tracker)
  }

  // MARK: - No cycle

  /// `Left` is a graph instance, `Right` a singleton whose action asks the container for a `Left`
  /// of another resolution: that one finds `Right`, and the recursion ends. This works in either
  /// order of asking.
  func testAGraphInstanceThatASingletonInBetweenBuildsAgainIsNoCycle() throws {
    let tracker = tracker
    for first in 0..<2 {
      assertEnds {
        let (container, lefts, rights) = (Container(), AtomicCounter(), AtomicCounter())
        try container.register(Left.self, scope: .graph) { resolver in
          lefts.add()
          return Left(tracker).noting(try resolver.container.resolve(Right.self))
        }
        try container.register(Right.self, scope: .singleton) { _ in
          rights.add()
          return Right(tracker)
        }.afterInit { $1.note(try $0.container.resolve(Left.self)) }
        if first == 0 {
          _ = try container.resolve(Left.self)
        } else {
          _ = try container.resolve(Right.self)
        }
        XCTAssertEqual(rights.value, 1)
        XCTAssertEqual(lefts.value, first == 0 ? 2 : 1)
        XCTAssertEqual(try container.resolve(Right.self).found.count, 1)
      }
    }
    assertNoneLeft(tracker)
  }

  /// A singleton in between is built once, also when the action that closes the cycle was postponed
  /// past it: `Left` is built in a second resolution, which finds `Right`. The postponed action did
  /// not know what it had passed, and got a cycle error.
  func testASingletonThatAPostponedActionHasPassedIsBuiltOnceTooAndNoCycle() throws {
    let tracker = tracker
    assertEnds {
      let (container, lefts, rights) = (Container(), AtomicCounter(), AtomicCounter())
      try container.register(Left.self, scope: .graph) { resolver in
        lefts.add()
        return Left(tracker).noting(try resolver.resolve(Right.self))
      }
      try container.register(Right.self, scope: .singleton) { _ in
        rights.add()
        return Right(tracker)
      }.afterInit { $1.note(try $0.resolve(Bridge.self)) }
      try container.register(Bridge.self, scope: .graph) { _ in Bridge(tracker) }.afterInit {
        $1.note(try $0.resolve(Left.self))
        $1.note(try $0.container.resolve(Left.self))
      }
      _ = try container.resolve(Left.self)
      XCTAssertEqual(rights.value, 1)
      XCTAssertEqual(lefts.value, 2)
      XCTAssertEqual(try container.resolve(Right.self).found.count, 1)
    }
    assertNoneLeft(tracker)
  }

  func testAnAsynchronousGraphInstanceThatASingletonInBetweenBuildsAgainIsNoCycle() throws {
    let tracker = tracker
    assertEndsAsync {
      let (container, lefts, rights) = (Container(), AtomicCounter(), AtomicCounter())
      try container.registerAsync(Left.self, scope: .graph) { resolver in
        lefts.add()
        let right = try await resolver.container.resolveAsync(Right.self)
        return Left(tracker).noting(right)
      }
      try container.registerAsync(Right.self, scope: .singleton) { _ in
        rights.add()
        return Right(tracker)
      }.afterInit { resolver, right in
        right.note(try await resolver.container.resolveAsync(Left.self))
      }
      _ = try await container.resolveAsync(Left.self)
      XCTAssertEqual(rights.value, 1)
      XCTAssertEqual(lefts.value, 2)
    }
    assertNoneLeftInTasks(tracker)
  }
}
