// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

/// The cells of request scopes in processes that fork.
final class ScopeCellForkTests: ForkTestCase {
  private let tracker = LifetimeTracker()
  private let container = Container()

  func testAChildProcessBuildsWhatALostThreadWasBuildingInACell() throws {
    let (begun, mayEnd) = (Gate(), Gate())
    let attempts = AtomicCounter()
    try container.register(Tracked.self, scope: .scoped) { [tracker] _ in
      if attempts.add() == 1 {
        begun.open()
        mayEnd.wait()
      }
      return tracker.make()
    }
    try container.register([Int].self, scope: .scoped) { _ in [3] }
    let scope = container.makeScope()
    XCTAssertEqual(try scope.resolve([Int].self), [3])
    let builder = JoinableThread { try scope.resolve(Tracked.self).serial }
    begun.wait()
    defer { mayEnd.open() }
    try ForkedChild {
      try expect(try scope.resolve([Int].self) == [3], "built before")
      try expect(try scope.resolve(Tracked.self).serial == 1, "built anew")
      try expect(try scope.resolve(Tracked.self).serial == 1, "and kept")
      try scope.syncClose()
    }.checkSuccess()
    mayEnd.open()
    XCTAssertEqual(try builder.join().get(), 1)
    try scope.syncClose()
  }

  func testAChildProcessClosesAScopeInWhichALostThreadBuilds() throws {
    let (begun, mayEnd, log) = (Gate(), Gate(), EventLog())
    try container.register(Tracked.self, scope: .scoped) { [tracker] _ in
      begun.open()
      mayEnd.wait()
      return tracker.make()
    }.onDispose { _ in log.add("tracked") }
    try container.register([Int].self, scope: .scoped) { _ in [3] }.onDispose { _ in log.add("list")
    }
    let scope = container.makeScope()
    XCTAssertEqual(try scope.resolve([Int].self), [3])
    let builder = JoinableThread { try scope.resolve(Tracked.self).serial }
    begun.wait()
    defer { mayEnd.open() }
    try ForkedChild {
      try scope.syncClose()
      try expect(log.entries == ["list"], "the lost thread completes nothing")
    }.checkSuccess()
    mayEnd.open()
    XCTAssertEqual(try builder.join().get(), 1)
    try scope.syncClose()
    XCTAssertEqual(log.entries, ["tracked", "list"])
  }

  func testAFactoryThatForksGoesOnInBothProcesses() throws {
    try container.register(Tracked.self, scope: .scoped) { [tracker] _ in
      try ForkedChild {}.checkSuccess()
      return tracker.make()
    }
    let scope = container.makeScope()
    XCTAssertTrue(try scope.resolve(Tracked.self) === scope.resolve(Tracked.self))
    try scope.syncClose()
  }
}
