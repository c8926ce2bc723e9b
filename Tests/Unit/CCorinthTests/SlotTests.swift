// SPDX-License-Identifier: MIT

import CCorinth
import XCTest

final class SlotTests: XCTestCase {
  private let registry = TestRegistry()

  func testAnExchangeReturnsTheWordBefore() {
    let slot = registry.insert(.plain).slot
    XCTAssertEqual(unsafe corinth_slot_exchange(slot.pointer, 16), CORINTH_WORD_ABSENT)
    XCTAssertEqual(unsafe corinth_slot_exchange(slot.pointer, 32), 16)
    XCTAssertEqual(slot.word, 32)
  }

  func testACompareExchangeNeedsTheWordExpected() {
    let slot = registry.insert(.plain).slot
    XCTAssertTrue(unsafe corinth_slot_compare_exchange(slot.pointer, CORINTH_WORD_ABSENT, 16))
    XCTAssertFalse(unsafe corinth_slot_compare_exchange(slot.pointer, CORINTH_WORD_ABSENT, 32))
    XCTAssertEqual(slot.word, 16)
  }

  func testAProductRemembersItsTypeAndWhetherThereIsMore() {
    XCTAssertNotEqual(corinth_product(0x1000, true, false), corinth_product(0x1000, false, false))
    XCTAssertNotEqual(corinth_product(0x1000, true, false), corinth_product(0x1000, true, true))
    for (more, arguments) in [(false, false), (true, false), (true, true)] {
      XCTAssertEqual(corinth_product_type(corinth_product(0x1000, more, arguments)), 0x1000)
    }
  }

  func testTheHashTellsTheProductFromTheArguments() {
    XCTAssertNotEqual(corinth_hash(0x10, 0, 0x20), corinth_hash(0x20, 0, 0x10))
    XCTAssertNotEqual(corinth_hash(0x10, 0x20, 0), corinth_hash(0x10, 0, 0x20))
    XCTAssertEqual(corinth_hash(0x10, 1, 0x20), corinth_hash(0x10, 1, 0x20))
  }
}
