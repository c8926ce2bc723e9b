// SPDX-License-Identifier: MIT

import Corinth
import Foundation
import TestSupport
import XCTest

/// Trees of containers that threads, tasks, factories and disposers close in all ways, at random.
///
/// Every caller has to return. Each instance is disposed of at most once; and once, when a closer
/// from outside of all factories and disposers has returned.
final class ClosingTreeStressTests: StressTestCase {
  func testRandomWaysOfClosingRandomTrees() async throws {
    let first = UInt64.random(in: 0..<1 << 32)
    for seed in first..<first + UInt64(StressSize.scaled(300, sanitized: 60)) {
      let watchdog = Watchdog(guarding: "\(name), seed \(seed),")
      let world = try ClosingWorld(seed: seed)
      await world.run()
      let findings = await world.findings()
      XCTAssertEqual(findings, [], "seed \(seed)")
      watchdog.stop()
      if !findings.isEmpty { return }
    }
  }
}
