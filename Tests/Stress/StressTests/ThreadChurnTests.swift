// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

/// Threads that come and go leave nothing behind.
final class ThreadChurnTests: StressTestCase {
  private let atOnce = 8

  func testShortThreadsLeaveNoGrowth() throws {
    let container = Container()
    let tracker = LifetimeTracker()
    try container.register(Tracked.self, scope: .singleton) { _ in tracker.make() }
    try container.register(Tracked.self, name: "transient") { _ in tracker.make() }
    try container.register(Tracked.self, name: "weak", scope: .weak) { _ in tracker.make() }

    let count = StressSize.scaled(20_000, sanitized: 10_000)
    try churn(count / 10, container)
    let records = Reclamation.threadRecords
    // A record of each thread, let alone what hangs on it, would come to more than this.
    try assertMemoryInUse(growsByAtMost: (256 << 10) + 32 * count) { try churn(count, container) }
    XCTAssertLessThanOrEqual(Reclamation.threadRecords, records + atOnce)
    container.removeAll()
    assertNoneLeft(tracker)
  }

  private func churn(_ count: Int, _ container: Container) throws {
    for _ in 0..<count / atOnce {
      let threads = (0..<atOnce).map { index in
        JoinableThread {
          switch index % 4 {
          case 0: _ = try container.resolve(Tracked.self)
          case 1: _ = try container.resolve(Tracked.self, name: "transient")
          case 2: _ = try container.resolve(Tracked.self, name: "weak")
          default: try container.register(Int.self, name: Name(index)) { _ in index }
          }
        }
      }
      for thread in threads { _ = try thread.join().get() }
    }
  }
}
