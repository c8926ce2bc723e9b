// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

/// Scopes that outlive their container in processes that fork.
final class OutlivingScopeForkTests: ForkTestCase {
  private let tracker = LifetimeTracker()

  func testAChildProcessEndsAContainerWithTheLastScopeOfItsThread() throws {
    let container = Locked<Container?>(Container())
    let scope = Locked(container.withLock { $0?.makeScope() })
    try container.withLock { $0 }?.register(Tracked.self, scope: .singleton) { [tracker] _ in
      tracker.make()
    }
    _ = try scope.withLock { $0 }?.resolve(Tracked.self)
    try ForkedChild { [tracker] in
      container.withLock { $0 = nil }
      _ = try scope.withLock { $0 }?.resolve(Tracked.self)
      try expect(scope.withLock { $0?.parent } != nil, "a parent")
      try expect(tracker.alive == 1, "it is kept")
      scope.withLock { $0 = nil }
      settleReclamation()
      try expect(tracker.alive == 0, "it has ended")
    }.checkSuccess()
    scope.withLock { $0 = nil }
    settleReclamation()
    XCTAssertEqual(tracker.alive, 1)
    container.withLock { $0 = nil }
    settleReclamation()
    XCTAssertEqual(tracker.alive, 0)
  }
}
