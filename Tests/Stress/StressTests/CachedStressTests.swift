// SPDX-License-Identifier: MIT

import Corinth
import Foundation
import TestSupport
import XCTest

/// Time-limited singletons under load. The time is the test's own.
final class CachedStressTests: StressTestCase {
  private let threads = 8
  private let periods = StressSize.scaled(200, sanitized: 50)

  private static func scope(
    _ whileRefreshing: StalePolicy, _ time: AtomicCounter
  ) -> AnyScope {
    .cached(
      for: .seconds(1), whileRefreshing: whileRefreshing,
      clock: MonotonicClock { .seconds(time.value) })
  }

  /// Calls `resolve` on all threads at once in each period, and `check` when all have returned.
  private func inEachPeriod(
    _ time: AtomicCounter, resolve: @escaping @Sendable (Int) throws -> Void,
    check: @escaping @Sendable (Int) -> Void
  ) throws {
    let arrival = Barrier(threads)
    try onThreads(threads) { [periods] index in
      for period in 1...periods {
        arrival.wait()
        let outcome = Result { try resolve(period) }
        arrival.wait()
        if index == 0 {
          check(period)
          time.add()
        }
        // Nobody stays behind at the barrier because of another's failure.
        if case .failure(let error) = outcome { XCTFail("\(error)") }
      }
    }
  }

  func testOneRefreshPerPeriodThatAllAwait() throws {
    try oneRefreshPerPeriod(.wait) { serial, period in serial == period }
  }

  func testOneRefreshPerPeriodWhileTheOldInstanceIsServed() throws {
    try oneRefreshPerPeriod(.serveStale) { serial, period in
      (max(1, period - 1)...period).contains(serial)
    }
  }

  private func oneRefreshPerPeriod(
    _ policy: StalePolicy, isRight: @escaping @Sendable (Int, Int) -> Bool
  ) throws {
    let time = AtomicCounter()
    let tracker = LifetimeTracker()
    let isRunning = AtomicCounter()
    let container = Container()
    try container.register(Tracked.self, scope: Self.scope(policy, time)) { _ in
      XCTAssertEqual(isRunning.add(), 1, "two at a time")
      usleep(300)
      isRunning.add(-1)
      return tracker.make()
    }
    try inEachPeriod(time) { period in
      for _ in 0..<5 {
        let serial = try container.resolve(Tracked.self).serial
        XCTAssertTrue(isRight(serial, period), "\(serial) in period \(period)")
      }
    } check: { period in
      XCTAssertEqual(tracker.created, period)
    }
    container.removeAll()
    assertNoneLeft(tracker)
  }

  func testOneRefreshPerPeriodAndValue() throws {
    for policy in [StalePolicy.wait, .serveStale] {
      let time = AtomicCounter()
      let tracker = LifetimeTracker()
      let container = Container()
      try container.register(Tracked.self, scope: Self.scope(policy, time)) { (_, _: Int) in
        sched_yield()
        return tracker.make()
      }
      try inEachPeriod(time) { _ in
        for value in 0..<10 { _ = try container.resolve(Tracked.self, arguments: value) }
      } check: { period in
        XCTAssertEqual(tracker.created, 10 * period)
      }
      container.removeAll()
      assertNoneLeft(tracker)
    }
  }

  /// Who refreshes gets the error, the others the old instance; or all that wait try in turn.
  func testFailuresOfRefreshes() throws {
    struct Outage: Error {}
    for policy in [StalePolicy.wait, .serveStale] {
      let time = AtomicCounter()
      let tracker = LifetimeTracker()
      let outages = AtomicCounter()
      let recovered = AtomicCounter()
      let container = Container()
      try container.register(Tracked.self, scope: Self.scope(policy, time)) { _ in
        usleep(100)
        if time.value % 2 == 1 { throw Outage() }
        return tracker.make()
      }
      try inEachPeriod(time) { period in
        do {
          let serial = try container.resolve(Tracked.self).serial
          recovered.add()
          XCTAssertTrue(((period - 1) / 2...(period + 1) / 2).contains(serial))
        } catch {
          XCTAssertTrue((error as? ResolutionError)?.underlyingError is Outage)
          XCTAssertEqual(period % 2, 0)
          outages.add()
        }
      } check: { period in
        XCTAssertEqual(tracker.created, (period + 1) / 2)
      }
      XCTAssertEqual(recovered.value + outages.value, threads * periods)
      XCTAssertGreaterThanOrEqual(outages.value, periods / 2, "each outage is somebody's")
      container.removeAll()
      assertNoneLeft(tracker)
    }
  }

  func testReleasesAndOverridesBesideRefreshes() throws {
    for policy in [StalePolicy.wait, .serveStale] {
      let time = AtomicCounter()
      let tracker = LifetimeTracker()
      let container = Container()
      let generations = Generations()
      @Sendable func register(_ generation: Int) throws {
        try container.register(Instance.self, scope: Self.scope(policy, time)) { _ in
          sched_yield()
          return Instance(tracker, generation: generation)
        }
      }
      try generations.advance(register)
      try besideAWriter(readers: 4, rounds: StressSize.scaled(3_000, sanitized: 300)) { written in
        if written % 8 == 0 {
          try generations.advance(register)
        } else {
          container.release(Instance.self)
        }
      } read: { index in
        if index == 0 { time.add() }
        try generations.check { try container.resolve(Instance.self).generation }
      }
      container.removeAll()
      assertNoneLeft(tracker)
    }
  }

  func testRefreshesLeaveNoGrowth() throws {
    let time = AtomicCounter()
    let tracker = LifetimeTracker()
    let container = Container()
    for policy in [StalePolicy.wait, .serveStale] {
      try container.register(
        Tracked.self, name: Name("\(policy)"), scope: Self.scope(policy, time)
      ) { _ in tracker.make() }
    }
    try assertMemoryStaysFlat(after: StressSize.scaled(50_000)) { _ in
      time.add()
      _ = try container.resolve(Tracked.self, name: "wait")
      _ = try container.resolve(Tracked.self, name: "serveStale")
    }
    container.removeAll()
    assertNoneLeft(tracker)
  }
}
