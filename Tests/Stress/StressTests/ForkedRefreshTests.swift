// SPDX-License-Identifier: MIT

import CTestSupport
import Corinth
import Foundation
import TestSupport
import XCTest

/// Forks in the middle of the refresh of a time-limited singleton that is served meanwhile.
final class ForkedRefreshTests: ForkTestCase {
  private let time = AtomicCounter()
  private let tracker = LifetimeTracker()

  /// A second of the test's own time long.
  private var scope: AnyScope {
    .cached(
      for: .seconds(1), whileRefreshing: .serveStale,
      clock: MonotonicClock { [time] in .seconds(time.value) })
  }

  /// The claim of the thread that refreshed came along into the child, where that thread does not
  /// exist: the child served the old instance for ever.
  func testAChildRefreshesWhatAThreadOfItsParentWasRefreshing() throws {
    let container = makeContainer()
    let refreshing = Gate()
    let mayEnd = Gate()
    let parent = getpid()
    try container.register(Tracked.self, scope: scope) { [tracker] _ in
      if tracker.created == 1, getpid() == parent {
        refreshing.open()
        mayEnd.wait()
      }
      return tracker.make()
    }
    let first = try container.resolve(Tracked.self)
    time.add()
    let refresher = JoinableThread { try container.resolve(Tracked.self).serial }
    refreshing.wait()
    XCTAssert(try container.resolve(Tracked.self) === first)
    try ForkedChild { [time] in
      for serial in 2..<5 {
        let refreshed = try container.resolve(Tracked.self)
        try expect(refreshed.serial == serial, "instance \(refreshed.serial) instead of \(serial)")
        try expect(try container.resolve(Tracked.self) === refreshed, "refreshed twice")
        time.add()
      }
    }.checkSuccess()
    mayEnd.open()
    XCTAssertEqual(try refresher.join().get(), 2)
    XCTAssertEqual(try container.resolve(Tracked.self).serial, 2)
    container.removeAll()
  }

  /// The thread that refreshes is the one that forks: its refresh is under way in both processes.
  func testAFactoryThatForksKeepsItsRefresh() throws {
    let container = makeContainer()
    let child = Shared<Int32>(-1)
    try container.register(Tracked.self, scope: scope) { [tracker] resolver in
      if tracker.created > 0 {
        try expect(child.value < 0, "a refresh within the refresh")
        child.value = corinth_test_fork_here()
        let old = try resolver.resolve(Tracked.self)
        try expect(old.serial == 1, "a refresh within the refresh")
      }
      return tracker.make()
    }
    _ = try container.resolve(Tracked.self)
    time.add()
    let result = Result { try container.resolve(Tracked.self) }
    if child.value == 0 {
      let isRight = (try? container.resolve(Tracked.self).serial) == 2
      _exit((try? result.get().serial) == 2 && isRight ? 0 : 1)
    }
    XCTAssertEqual(corinth_test_wait(child.value), 0)
    XCTAssertEqual(try result.get().serial, 2)
    container.removeAll()
  }

  /// What has failed in a child may be tried again there.
  func testAChildTriesARefreshAgainThatHasFailed() throws {
    struct Outage: Error {}
    let container = makeContainer()
    let isOut = Flag()
    try container.register(Tracked.self, scope: scope) { [tracker] _ in
      if isOut.isSet { throw Outage() }
      return tracker.make()
    }
    _ = try container.resolve(Tracked.self)
    time.add()
    try ForkedChild {
      isOut.isSet = true
      for _ in 0..<3 {
        try expect((try? container.resolve(Tracked.self)) == nil, "no error")
      }
      isOut.isSet = false
      try expect(try container.resolve(Tracked.self).serial == 2, "not refreshed")
    }.checkSuccess()
    container.removeAll()
  }
}
