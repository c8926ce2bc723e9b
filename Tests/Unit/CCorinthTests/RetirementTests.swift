// SPDX-License-Identifier: MIT

import CCorinth
import TestSupport
import XCTest

final class RetirementTests: XCTestCase {
  private let destroyed = AtomicCounter()

  func testWithoutASectionAnObjectIsDestroyedAtOnce() {
    for count in 1...100 {
      Retired.retire(countedBy: destroyed)
      XCTAssertEqual(destroyed.value, count)
    }
  }

  func testASectionOfTheSameThreadDelaysTheDestruction() {
    let thread = unsafe corinth_section_enter()
    Retired.retire(countedBy: destroyed)
    corinth_reclaim()
    XCTAssertEqual(destroyed.value, 0)
    unsafe corinth_section_leave(thread)
    settleReclamation()
    XCTAssertEqual(destroyed.value, 1)
  }

  func testTheOutermostSectionCounts() {
    let thread = unsafe corinth_section_enter()
    unsafe corinth_section_leave(corinth_section_enter())
    Retired.retire(countedBy: destroyed)
    unsafe corinth_section_leave(corinth_section_enter())
    corinth_reclaim()
    XCTAssertEqual(destroyed.value, 0)
    unsafe corinth_section_leave(thread)
    settleReclamation()
    XCTAssertEqual(destroyed.value, 1)
  }

  func testASectionOfAnotherThreadDelaysTheDestruction() throws {
    try besideAnotherThread(insideOfASection: true) {
      for _ in 0..<10 { Retired.retire(countedBy: destroyed) }
      corinth_reclaim()
      XCTAssertEqual(destroyed.value, 0)
    }
    settleReclamation()
    XCTAssertEqual(destroyed.value, 10)
  }

  func testALaterRetirementDestroysWhatWasDelayed() {
    let thread = unsafe corinth_section_enter()
    Retired.retire(countedBy: destroyed)
    unsafe corinth_section_leave(thread)
    Retired.retire(countedBy: destroyed)
    settleReclamation()
    XCTAssertEqual(destroyed.value, 2)
  }

  func testASectionThatAnExitedThreadLeftOpenDelaysNothing() throws {
    try onThreads(1) { _ in unsafe _ = corinth_section_enter() }
    Retired.retire(countedBy: destroyed)
    XCTAssertEqual(destroyed.value, 1)
  }

  func testADestructorMayRetire() {
    Retired.retire(countedBy: destroyed) { [destroyed] in
      Retired.retire(countedBy: destroyed) {
        Retired.retire(countedBy: destroyed)
      }
    }
    XCTAssertEqual(destroyed.value, 3)
  }

  func testALongChainOfDestructorsNeedsNoStack() throws {
    @Sendable func retireChain(_ length: Int, _ destroyed: AtomicCounter) {
      guard length > 0 else { return }
      Retired.retire(countedBy: destroyed) { retireChain(length - 1, destroyed) }
    }
    try onSmallStack { [destroyed] in
      retireChain(20_000, destroyed)
      settleReclamation()
    }
    XCTAssertEqual(destroyed.value, 20_000)
  }

  func testADestructorMayEnterASectionAndReclaim() {
    Retired.retire(countedBy: destroyed) {
      let thread = unsafe corinth_section_enter()
      corinth_reclaim()
      unsafe corinth_section_leave(thread)
    }
    XCTAssertEqual(destroyed.value, 1)
  }

  /// In a process with one thread: the counts are those of all.
  func testEverythingIsCounted() throws {
    try skipWithoutThreadsInAChild()
    settleReclamation()
    assertSucceedsInAChild {
      settleReclamation()
      let before = corinth_reclamation_read()
      let thread = unsafe corinth_section_enter()
      for _ in 0..<1_000 { Retired.retire(countedBy: destroyed) }
      let inside = corinth_reclamation_read()
      unsafe corinth_section_leave(thread)
      settleReclamation()
      let after = corinth_reclamation_read()
      func asTexts(_ counts: corinth_reclamation) -> String {
        "\(counts.retired - before.retired) \(counts.destroyed - before.destroyed) \(counts.pending)"
      }
      let counts = "\(asTexts(before)), \(asTexts(inside)), \(asTexts(after)), \(destroyed.value)"
      return complain(unless: counts == "0 0 0, 1000 0 1000, 1000 1000 0, 1000", counts)
    }
  }

  func testThreadsThatRetireTogetherDestroyEachObjectOnce() throws {
    let count = StressSize.scaled(2_000)
    try onThreads(4) { [destroyed] _ in
      for _ in 0..<count {
        let thread = unsafe corinth_section_enter()
        Retired.retire(countedBy: destroyed)
        unsafe corinth_section_leave(thread)
      }
    }
    settleReclamation()
    XCTAssertEqual(destroyed.value, 4 * count)
  }
}
