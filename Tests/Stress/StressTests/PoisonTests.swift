// SPDX-License-Identifier: MIT

import CTestSupport
import TestSupport
import XCTest

/// Nothing is destroyed while a reader may look at it; and if it were, this stress would tell.
final class PoisonTests: StressTestCase {
  func testReadersNeverSeeADestroyedObject() {
    let exchanges = UInt64(stressSize(50_000, sanitized: 20_000))
    for (readers, writers) in [(1, 1), (6, 1), (4, 3)] as [(UInt32, UInt32)] {
      let seen = corinth_test_poison_stress(
        corinth_test_fault_none, readers, writers, exchanges)
      XCTAssertEqual(seen.poisoned, 0)
      XCTAssertGreaterThanOrEqual(seen.exchanges, exchanges)
      XCTAssertGreaterThanOrEqual(seen.reads, exchanges / 4)
      XCTAssertEqual(seen.destroyed, seen.exchanges + 1, "an object was not destroyed")
    }
  }

  func testTheStressCatchesReadersWithoutASection() {
    assertCaught(corinth_test_fault_no_section)
  }

  func testTheStressCatchesDestructionWithoutRetirement() {
    assertCaught(corinth_test_fault_no_retirement)
  }

  private func assertCaught(_ fault: corinth_test_fault, line: UInt = #line) {
    for _ in 0..<StressSize.scaled(5) {
      let seen = corinth_test_poison_stress(fault, 4, 2, 1)
      XCTAssertGreaterThan(seen.poisoned, 0, "no poison was seen", line: line)
    }
  }
}
