// SPDX-License-Identifier: MIT

import CCorinth
import CTestSupport
import Foundation
import TestSupport
import XCTest

/// Sections begin without a fence. Whoever destroys makes up for it with a barrier for all threads,
/// and with few of them.
final class BarrierTests: XCTestCase {
  private let destroyed = AtomicCounter()

  override func setUpWithError() throws {
    try super.setUpWithError()
    try XCTSkipUnless(corinth_test_has_barriers(), "sections have fences here")
    settleReclamation()
  }

  override func tearDown() {
    corinth_test_barriers_become(corinth_test_barrier_real)
    super.tearDown()
  }

  private func waitUntilDestroyed(_ count: Int, line: UInt = #line) {
    blockUntil { destroyed.value >= count }
    XCTAssertEqual(destroyed.value, count, line: line)
  }

  func testAThreadAloneDestroysAtOnceWithoutABarrier() {
    assertSucceedsInAChild {
      corinth_test_barriers_become(corinth_test_barrier_real)
      for count in 1...100 {
        Retired.retire(countedBy: destroyed, lazily: count.isMultiple(of: 2))
        if destroyed.value != count { return 1 }
      }
      return corinth_test_barriers() == 0 ? 0 : 2
    }
  }

  func testAwaitedObjectsAreDestroyedAtOnceWithABarrierForEach() throws {
    try besideAnotherThread {
      corinth_test_barriers_become(corinth_test_barrier_slow)
      for count in 1...100 {
        Retired.retire(countedBy: destroyed)
        XCTAssertEqual(destroyed.value, count)
      }
      XCTAssertGreaterThanOrEqual(corinth_test_barriers(), 100)
    }
  }

  /// One barrier for each poll would be eight times as many. In a process with no other thread that
  /// passes any.
  func testPollsThatFailShareABarrier() throws {
    try skipWithoutThreadsInAChild()
    assertSucceedsInAChild {
      var (barriers, early) = (UInt64(0), 0)
      try? besideAnotherThread(insideOfASection: true) {
        corinth_test_barriers_become(corinth_test_barrier_slow)
        for _ in 0..<100 { Retired.retire(countedBy: destroyed) }
        (barriers, early) = (corinth_test_barriers(), destroyed.value)
      }
      settleReclamation()
      return complain(
        unless: barriers <= 100 && early == 0 && destroyed.value == 100,
        "\(barriers) barriers, \(early) destroyed early and \(destroyed.value) in the end")
    }
  }

  /// As few as wait in a process with no other thread that retires or destroys.
  func testAStormSharesBarriersAndFewObjectsWait() throws {
    try skipWithoutThreadsInAChild()
    let count = 20_000
    assertSucceedsInAChild {
      var (barriers, most) = (0, 0)
      try? besideAnotherThread {
        corinth_test_barriers_become(corinth_test_barrier_slow)
        for retired in 1...count {
          Retired.retire(countedBy: destroyed, lazily: true)
          most = max(most, retired - destroyed.value)
        }
        barriers = Int(corinth_test_barriers())
      }
      settleReclamation()
      return complain(
        unless: barriers < count / 8 && most < 32 && destroyed.value == count,
        "\(barriers) barriers, \(most) waited, \(destroyed.value) destroyed")
    }
  }

  func testNothingWaitsWhereBarriersAreRare() throws {
    try skipWithoutThreadsInAChild()
    assertSucceedsInAChild {
      try? besideAnotherThread {
        // Longer than barriers are remembered.
        usleep(100_000)
        Retired.retire(countedBy: destroyed, lazily: true)
      }
      return complain(unless: destroyed.value == 1, "it waits")
    }
  }

  func testWhatWaitsIsDestroyedWithoutAnotherRetirement() throws {
    try besideAnotherThread {
      corinth_test_barriers_become(corinth_test_barrier_slow)
      for _ in 0..<1_000 { Retired.retire(countedBy: destroyed, lazily: true) }
      waitUntilDestroyed(1_000)
    }
  }

  func testWhatAnExitedThreadHasLeftWaitingIsDestroyed() throws {
    try besideAnotherThread {
      corinth_test_barriers_become(corinth_test_barrier_slow)
      let destroyed = destroyed
      try onThreads(1) { _ in
        for _ in 0..<1_000 { Retired.retire(countedBy: destroyed, lazily: true) }
      }
      waitUntilDestroyed(1_000)
    }
  }

  /// The collector would find one of them each time that it wakes up.
  func testAChainOfDestructorsThatRetireLazilyIsWorkedOff() throws {
    @Sendable func retireChain(_ length: Int, _ destroyed: AtomicCounter) {
      guard length > 0 else { return }
      Retired.retire(countedBy: destroyed, lazily: true) { retireChain(length - 1, destroyed) }
    }
    try besideAnotherThread {
      corinth_test_barriers_become(corinth_test_barrier_slow)
      retireChain(2_000, destroyed)
      waitUntilDestroyed(2_000)
    }
  }

  func testAChildOfAForkHasBarriersOfItsOwn() throws {
    try skipWithoutThreadsInAChild()
    try besideAnotherThread {
      assertSucceedsInAChild {
        // Of the other thread nothing is left.
        corinth_test_barriers_become(corinth_test_barrier_real)
        Retired.retire(countedBy: destroyed)
        if corinth_test_barriers() != 0 || destroyed.value != 1 { return 1 }
        corinth_barrier_set_pass(nil)
        try? besideAnotherThread { Retired.retire(countedBy: destroyed) }
        return destroyed.value == 2 ? 0 : 2
      }
    }
  }

  func testABarrierThatFailsStopsDestructionAndSaysSoOnce() throws {
    let errors = try errorsOfAChild {
      corinth_test_barriers_become(corinth_test_barrier_failing)
      return true
    }
    XCTAssertEqual(errors.split(separator: "\n").count, 1, errors)
    XCTAssertTrue(errors.contains("membarrier(2) has failed"), errors)
  }

  /// A filter of system calls that the process installs once it runs.
  func testABarrierThatIsForbiddenLaterStopsDestructionAndSaysSoOnce() throws {
    let errors = try errorsOfAChild { corinth_test_forbid_barriers() }
    if errors == "unable" { throw XCTSkip("this process may not filter system calls") }
    XCTAssertEqual(errors.split(separator: "\n").count, 1, errors)
    XCTAssertTrue(errors.contains("membarrier(2) has failed"), errors)
  }

  /// What a child writes that retires beside another thread, once `forbid` has returned true.
  private func errorsOfAChild(_ forbid: () -> Bool) throws -> String {
    try skipWithoutThreadsInAChild()
    return unsafe withOutcomeOfAChild {
      corinth_barrier_set_pass(nil)
      if !forbid() { return 3 }
      try? besideAnotherThread {
        for count in 0..<200 {
          Retired.retire(countedBy: destroyed, lazily: count.isMultiple(of: 2))
        }
        corinth_reclaim_all()
      }
      // Longer than the collector pauses at first.
      usleep(50_000)
      return destroyed.value == 0 ? 0 : 1
    } _: { outcome in
      if unsafe outcome.exit_status == 3 { return "unable" }
      XCTAssertEqual(unsafe outcome.exit_status, 0)
      return unsafe String(cString: outcome.error_output)
    }
  }
}
