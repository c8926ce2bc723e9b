// SPDX-License-Identifier: MIT

import CCorinth
import CTestSupport
import Foundation
import TestSupport
import XCTest

/// The collector where processes begin and end.
final class CollectorProcessTests: XCTestCase {
  private let destroyed = AtomicCounter()

  override func setUpWithError() throws {
    try super.setUpWithError()
    try skipWithoutThreadsInAChild()
    settleReclamation()
  }

  /// The parent's collector, which the child was told of, does not exist there.
  func testAForkedChildHasACollectorOfItsOwn() {
    let thread = unsafe corinth_section_enter()
    Retired.retire(countedBy: destroyed)
    assertSucceedsInAChild {
      Retired.retire(countedBy: destroyed)
      unsafe corinth_section_leave(thread)
      blockUntil { destroyed.value == 2 }
      return destroyed.value == 2 ? 0 : 1
    }
    unsafe corinth_section_leave(thread)
    settleReclamation()
    XCTAssertEqual(destroyed.value, 1)
  }

  /// The collector of the child is the thread that has forked, in the middle of its work.
  func testACollectorThatForksGoesOnInBothProcesses() {
    let child = AtomicCounter(-1)
    let thread = unsafe corinth_section_enter()
    for _ in 0..<3 {
      Retired.retire(countedBy: destroyed) { [destroyed] in
        if child.value == -1 { child.add(1 + Int(corinth_test_fork_here())) }
        if child.value == 0, destroyed.value == 3 { _exit(0) }
      }
    }
    unsafe corinth_section_leave(thread)
    blockUntil { destroyed.value == 3 }
    XCTAssertEqual(destroyed.value, 3)
    XCTAssertEqual(corinth_test_wait(Int32(child.value)), 0)
  }

  /// Destructors of static objects run while the process exits, and no other destructor is to need
  /// them.
  func testNothingIsDestroyedAnyMoreWhileAProcessExits() {
    assertSucceedsInAChild {
      unsafe _ = corinth_section_enter()
      Retired.retire(countedBy: destroyed)
      unsafe corinth_test_exit(
        { context in
          guard let context = unsafe context else { return 2 }
          unsafe corinth_section_leave(corinth_thread_current())
          // Longer than the collector pauses.
          usleep(800_000)
          // SAFETY: the test keeps the counter.
          let destroyed = unsafe Unmanaged<AtomicCounter>.fromOpaque(context).takeUnretainedValue()
          return destroyed.value == 0 ? 0 : 1
        }, Unmanaged.passUnretained(destroyed).toOpaque())
    }
  }
}
