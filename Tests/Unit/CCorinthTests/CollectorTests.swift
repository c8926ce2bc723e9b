// SPDX-License-Identifier: MIT

import CCorinth
import CTestSupport
import Foundation
import TestSupport
import XCTest

/// What a section held back is destroyed although nobody retires anything any more.
///
/// It used to wait for the next retirement, for as long as the process ran.
final class CollectorTests: XCTestCase {
  private let destroyed = AtomicCounter()
  private let destroyedHere = AtomicCounter()
  private let destroyedWithSignals = AtomicCounter()

  override func setUp() {
    super.setUp()
    settleReclamation()
  }

  /// Retires objects of which none can be destroyed before this has returned.
  private func retireInASection(_ count: Int = 1, _ onDestroy: @escaping @Sendable () -> Void = {})
  {
    let thread = unsafe corinth_section_enter()
    for _ in 0..<count { Retired.retire(countedBy: destroyed, onDestroy) }
    XCTAssertEqual(destroyed.value, 0)
    unsafe corinth_section_leave(thread)
  }

  private func waitUntilDestroyed(_ count: Int, line: UInt = #line) {
    blockUntil { destroyed.value >= count }
    XCTAssertEqual(destroyed.value, count, line: line)
  }

  func testObjectsHeldBackAreDestroyedWithoutAnotherRetirement() {
    let caller = pthread_self()
    retireInASection(1_000) { [destroyedHere] in
      if pthread_equal(caller, pthread_self()) != 0 { destroyedHere.add() }
    }
    waitUntilDestroyed(1_000)
    XCTAssertEqual(destroyedHere.value, 0)
  }

  func testObjectsAreDestroyedWhileTheirThreadGoesOnReading() throws {
    retireInASection()
    while destroyed.value == 0 { unsafe corinth_section_leave(corinth_section_enter()) }
  }

  /// A request beside an override used to poll for what that had retired, with a mutex, after each
  /// of its constructions.
  func testAThreadThatHasRetiredNothingDestroysNothing() throws {
    let caller = pthread_self()
    try besideAnotherThread(insideOfASection: true) {
      try onThreads(1) { [destroyed, destroyedHere] _ in
        Retired.retire(countedBy: destroyed) {
          if pthread_equal(caller, pthread_self()) != 0 { destroyedHere.add() }
        }
      }
    }
    corinth_reclaim()
    waitUntilDestroyed(1)
    XCTAssertEqual(destroyedHere.value, 0)
  }

  /// A section may last for much longer than the collector's first pause.
  func testASectionThatLastsIsWaitedFor() {
    let thread = unsafe corinth_section_enter()
    Retired.retire(countedBy: destroyed)
    usleep(100_000)
    XCTAssertEqual(destroyed.value, 0)
    unsafe corinth_section_leave(thread)
    waitUntilDestroyed(1)
  }

  /// Objects that its destructors retire belong to the collector's work.
  func testAChainOfDestructorsIsWorkedOff() {
    @Sendable func retireChain(_ length: Int, _ destroyed: AtomicCounter) {
      guard length > 0 else { return }
      Retired.retire(countedBy: destroyed) { retireChain(length - 1, destroyed) }
    }
    retireInASection { [destroyed] in retireChain(10_000, destroyed) }
    waitUntilDestroyed(10_001)
  }

  /// The signals of the process are for its own threads.
  func testDestructorsOfTheCollectorRunWithoutSignals() {
    retireInASection { [destroyedWithSignals] in
      let mask = UnsafeMutablePointer<sigset_t>.allocate(capacity: 1)
      defer { unsafe mask.deallocate() }
      unsafe pthread_sigmask(SIG_BLOCK, nil, mask)
      let ofTheProcess = [SIGINT, SIGTERM, SIGUSR1, SIGALRM]
      let areBlocked = ofTheProcess.allSatisfy { unsafe sigismember(mask, $0) == 1 }
      let areFaultsBlocked = unsafe sigismember(mask, SIGSEGV) == 1
      if !areBlocked || areFaultsBlocked { destroyedWithSignals.add() }
    }
    waitUntilDestroyed(1)
    XCTAssertEqual(destroyedWithSignals.value, 0)
  }

  #if os(Linux)
    func testTheCollectorIsThereOnlyWhileItIsNeeded() throws {
      func hasCollector() throws -> Bool {
        let threads = "/proc/self/task"
        return try FileManager.default.contentsOfDirectory(atPath: threads).contains {
          let name = try? String(contentsOfFile: "\(threads)/\($0)/comm", encoding: .utf8)
          return name == "corinth-reclaim\n"
        }
      }
      func wait(until isThere: Bool) throws {
        try blockUntil { try hasCollector() == isThere }
        XCTAssertEqual(try hasCollector(), isThere)
      }
      try wait(until: false)
      let thread = unsafe corinth_section_enter()
      unsafe corinth_section_leave(corinth_section_enter())
      XCTAssertFalse(try hasCollector())
      Retired.retire(countedBy: destroyed)
      try wait(until: true)
      unsafe corinth_section_leave(thread)
      try wait(until: false)
      XCTAssertEqual(destroyed.value, 1)
    }
  #endif

  /// A section that was open for long may have held back millions of objects: the thread that
  /// retires next used to destroy them all.
  func testARetirementDestroysItsShareOfABacklog() {
    let caller = pthread_self()
    retireInASection(10_000) { [destroyedHere] in
      if pthread_equal(caller, pthread_self()) != 0 { destroyedHere.add() }
    }
    Retired.retire(countedBy: destroyed)
    XCTAssertLessThan(destroyedHere.value, 2_000)
    waitUntilDestroyed(10_001)
    XCTAssertLessThan(destroyedHere.value, 2_000)
  }
}
