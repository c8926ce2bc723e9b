// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

private final class Left: Sendable {}
private final class Right: Sendable {}

// SAFETY: only touched with the lock held.
private final class Count: @unchecked Sendable {
  var value = 0
}

private final class Parent: @unchecked Sendable {
  // SAFETY: written in afterInit, before another thread gets the instance.
  weak var itself: Parent?
}

final class ConstructionLockTests: ContainerTestCase {
  func testOneBlockRunsAtATime() throws {
    let lock = ConstructionLock(for: Left.self, in: container)
    let count = Count()
    try onThreads(8) { _ in
      for _ in 0..<100 {
        try lock.withLock {
          // Another block in between would be lost.
          let before = count.value
          for _ in 0..<20 { sched_yield() }
          count.value = before + 1
        }
      }
    }
    XCTAssertEqual(count.value, 800)
  }

  func testACallInsideOfTheBlockIsAnError() throws {
    let lock = ConstructionLock(for: Left.self, name: "x", in: container)
    try lock.withLock {
      XCTAssertThrowsError(try lock.withLock { XCTFail("it ran") }) { error in
        guard case ResolutionError.circularDependencyDetected(let context) = error else {
          return XCTFail("\(error)")
        }
        XCTAssertEqual(context.path.map(\.description), ["Left named \"x\""])
      }
    }
    XCTAssertEqual(try lock.withLock { 1 }, 1)
  }

  func testAnErrorOfTheBlockIsHandedOnAndFreesTheLock() throws {
    let lock = ConstructionLock(for: Left.self, in: container)
    XCTAssertThrowsError(try lock.withLock { throw CancellationError() }) {
      XCTAssertTrue($0 is CancellationError)
    }
    XCTAssertEqual(try lock.withLock { 1 }, 1)
  }

  func testOfTwoThatWouldWaitForEachOtherOneGetsAnError() throws {
    let locks = [
      ConstructionLock(for: Left.self, in: container),
      ConstructionLock(for: Right.self, in: container),
    ]
    let bothHold = Barrier(2)
    let results = try onThreads(2) { index in
      try locks[index].withLock {
        bothHold.wait()
        return Result { try locks[1 - index].withLock { index } }
      }
    }
    let errors = results.compactMap { result -> (any Error)? in
      if case .failure(let error) = result { error } else { nil }
    }
    XCTAssertEqual(errors.count, 1)
    guard case ResolutionError.circularDependencyDetected? = errors.first else {
      return XCTFail("\(errors)")
    }
  }

  func testAConstructionAndAHolderThatWouldWaitForEachOtherEnd() throws {
    let container = container
    let lock = ConstructionLock(for: Left.self, in: container)
    let both = Barrier(2)
    let runs = AtomicCounter()
    try container.register(Right.self) { _ in
      // A second run is that of the holder, after the first one was refused the lock.
      if runs.add() == 1 { both.wait() }
      try lock.withLock {}
      return Right()
    }.as(.singleton)
    let errors = try onThreads(2) { index in
      do {
        if index == 0 {
          _ = try container.resolve(Right.self)
        } else {
          try lock.withLock {
            both.wait()
            _ = try container.resolve(Right.self)
          }
        }
        return nil as ResolutionError?
      } catch let error as ResolutionError { return error }
    }
    // Whoever closed the cycle is refused, and perhaps the holder once more when it runs the
    // factory itself.
    XCTAssertNotNil(errors[0] ?? errors[1])
    for case let error? in errors {
      guard case .circularDependencyDetected = error else { return XCTFail("\(error)") }
    }
    XCTAssertEqual(try lock.withLock { 1 }, 1)
  }

  func testABlockGetsEarlyReferencesForTheConstructionAroundIt() throws {
    let container = container
    let lock = ConstructionLock(for: Left.self, in: container)
    try container.register(Parent.self) { _ in Parent() }.as(.singleton)
      .afterInit { _, parent in
        try lock.withLock { parent.itself = try container.resolve(Parent.self) }
      }
    let parent = try container.resolve(Parent.self)
    XCTAssertIdentical(parent.itself, parent)
    XCTAssertIdentical(try container.resolve(Parent.self), parent)
    XCTAssertEqual(try lock.withLock { 1 }, 1)
  }

  func testABlockIsAPartOfTheResolutionAroundIt() throws {
    let container = container
    let lock = ConstructionLock(for: Left.self, in: container)
    try container.withResolution { outer in
      outer.publish(1)
      try lock.withLock {
        container.withResolution { XCTAssertEqual($0.instance(of: Int.self), 1) }
      }
    }
  }

  func testACallInsideOfABlockThatHasOpenedItsTurnGetsNothing() throws {
    let lock = ConstructionLock(for: Left.self, in: container)
    let result = try lock.withOpenableLock { open in
      XCTAssertFalse(lock.isFree)
      XCTAssertThrowsError(try lock.withOpenableLock { _ in XCTFail("it ran") })
      open()
      XCTAssertNil(try lock.withOpenableLock { _ in XCTFail("it ran") })
      return 1
    }
    XCTAssertEqual(result, 1)
    XCTAssertTrue(lock.isFree)
    XCTAssertEqual(try lock.withOpenableLock { _ in 2 }, 2, "the next turn is closed")
  }

  func testAThreadThatCanWaitForAnOpenTurnWaits() throws {
    let lock = ConstructionLock(for: Left.self, in: container)
    let opened = Barrier(2)
    let count = Count()
    try onThreads(2) { index in
      if index == 0 {
        _ = try lock.withOpenableLock { open in
          open()
          opened.wait()
          for _ in 0..<100 { sched_yield() }
          count.value = 1
        }
      } else {
        opened.wait()
        let seen = try lock.withOpenableLock { _ in count.value }
        XCTAssertEqual(seen, 1)
      }
    }
  }

  /// The first waits for the second, the second for the third, and the third for the first: of
  /// these only the second has opened its turn, so the wait of the first ends, whoever came last.
  func testACycleEndsWhereATurnIsOpen() throws {
    for _ in 0..<StressSize.scaled(50) {
      let container = container
      let locks = (0..<3).map { _ in ConstructionLock(for: Left.self, in: container) }
      let allHold = Barrier(3)
      let results = try onThreads(3) { index in
        try locks[index].withOpenableLock { open in
          if index == 1 { open() }
          allHold.wait()
          return try locks[(index + 1) % 3].withOpenableLock { _ in index }
        }
      }
      XCTAssertEqual(results, [.some(.none), 1, 2])
    }
  }

  func testTheLockDoesNotKeepItsContainerAlive() throws {
    let tracker = LifetimeTracker()
    do {
      let container = Container()
      try container.register(Tracked.self) { _ in tracker.make() }.as(.singleton)
      _ = try container.resolve(Tracked.self)
      _ = try container.resolveOrBuild { ConstructionLock(for: Left.self, in: $0) }
      XCTAssertEqual(tracker.alive, 1)
    }
    settleReclamation()
    XCTAssertEqual(tracker.alive, 0)
  }
}
