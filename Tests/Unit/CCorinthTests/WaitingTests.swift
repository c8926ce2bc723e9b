// SPDX-License-Identifier: MIT

import CCorinth
import TestSupport
import XCTest

final class WaitingTests: XCTestCase {
  /// A latch that threads may share.
  @safe
  private final class Latch: @unchecked Sendable {
    // SAFETY: owned by this object, freed in its deinit; a latch is thread-safe.
    private let pointer: OpaquePointer

    init() {
      unsafe pointer = corinth_latch_create()
    }

    deinit {
      unsafe corinth_latch_destroy(pointer)
    }

    func open() { unsafe corinth_latch_open(pointer) }
    func wait() { unsafe corinth_latch_wait(pointer) }
  }

  func testAnOpenLatchDoesNotHoldAnybodyUp() {
    let latch = Latch()
    latch.open()
    latch.wait()
    latch.wait()
  }

  func testALatchHoldsItsWaiterUntilItIsOpened() throws {
    let latch = Latch()
    let isOpen = AtomicCounter()
    let waiter = JoinableThread {
      latch.wait()
      return isOpen.value
    }
    Thread.sleep(forTimeInterval: 0.01)
    isOpen.add()
    latch.open()
    XCTAssertEqual(try waiter.join().get(), 1)
  }

  func testTheWaiterMayDestroyTheLatchAtOnce() throws {
    for _ in 0..<StressSize.scaled(200) {
      let latch = Latch()
      let openedDuring = JoinableThread { latch.open() }
      latch.wait()
      try openedDuring.join().get()
    }
  }

  func testTheMutexOfTheWaitsAdmitsOneThreadAtATime() throws {
    let inside = AtomicCounter()
    let count = StressSize.scaled(5_000)
    try onThreads(4) { _ in
      for _ in 0..<count {
        corinth_waits_lock()
        XCTAssertEqual(inside.add(), 1)
        inside.add(-1)
        corinth_waits_unlock()
      }
    }
  }

  func testTheWriterMutexesOfTwoRegistriesAreIndependent() {
    let left = TestRegistry()
    let right = TestRegistry()
    unsafe corinth_registry_lock(left.pointer)
    XCTAssertTrue(right.insert(.plain).inserted)
    unsafe corinth_registry_unlock(left.pointer)
    XCTAssertTrue(left.insert(.plain).inserted)
  }
}
