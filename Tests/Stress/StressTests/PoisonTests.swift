// SPDX-License-Identifier: MIT

import CCorinth
import CTestSupport
import Foundation
import TestSupport
import XCTest

/// Nothing is destroyed while a reader may look at it; and if it were, this stress would tell.
final class PoisonTests: StressTestCase {
  func testReadersNeverSeeADestroyedObject() {
    let exchanges = UInt64(StressSize.scaled(50_000, sanitized: 20_000))
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

  /// Sections begin without a fence, and what they hold back depends on the barrier of those who
  /// destroy.
  func testReadersBehindFullStoreBuffersNeverSeeADestroyedObject() {
    let exchanges = UInt64(StressSize.scaled(200_000, sanitized: 20_000))
    for isLazy in [false, true] {
      let seen = corinth_test_store_buffer_stress(
        corinth_test_fault_none, 1, isLazy, exchanges)
      XCTAssertEqual(seen.poisoned, 0)
      XCTAssertEqual(seen.destroyed, seen.exchanges + 1, "an object was not destroyed")
    }
  }

  func testTheStressCatchesAMissingBarrier() throws {
    try XCTSkipUnless(
      corinth_test_has_barriers(), "the machine has no membarrier(2), so sections have a fence")
    try XCTSkipIf(
      corinth_test_processor_count() < 2, "no two threads run at the same time")
    try XCTSkipIf(
      isSanitized,
      "the calls of a sanitizer before each access leave the store buffer time to empty")
    guard ProcessInfo.processInfo.environment[Self.isAlone] != nil else { return try runAlone() }
    let seen = corinth_test_store_buffer_stress(corinth_test_fault_no_barrier, 1, false, 1)
    // Threads that take turns on a processor let one run many times before the other.
    try XCTSkipIf(
      seen.poisoned == 0 && seen.accompanied < seen.reads / 2,
      "\(Self.isBusy): two threads shared a processor, which empties the store buffer")
    XCTAssertGreaterThan(seen.poisoned, 0, "no poison was seen in \(seen.reads) reads")
  }

  /// In the environment of a process that runs one test only.
  private static let isAlone = "CORINTH_TEST_ALONE"
  private static let isBusy = "the machine is busy"

  /// Runs this test in a new process. After the many threads of other tests, a poll visits so many
  /// records that the store of a section has left its buffer by then.
  private func runAlone() throws {
    let test = "StressTests." + name.replacingOccurrences(of: ".", with: "/")
    let run = ChildRun(.this, [test], limit: nil, variables: [Self.isAlone: "yes"])
    try XCTSkipIf(run.status == 0 && run.describe().contains(Self.isBusy), Self.isBusy)
    XCTAssertEqual(run.status, 0, run.describe())
  }

  private func assertCaught(_ fault: corinth_test_fault, line: UInt = #line) {
    for _ in 0..<StressSize.scaled(5) {
      let seen = corinth_test_poison_stress(fault, 4, 2, 1)
      XCTAssertGreaterThan(seen.poisoned, 0, "no poison was seen", line: line)
    }
  }
}
