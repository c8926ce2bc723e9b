// SPDX-License-Identifier: MIT

import CTestSupport
import XCTest

/// The rules of `ck_epoch` that sections and retirement rely on, asked of the library itself:
/// design note 27.
@safe
final class EpochAssumptionTests: XCTestCase {
  // SAFETY: made before each test, and destroyed after it.
  private let epoch = unsafe corinth_test_epoch_make()

  override func tearDown() {
    XCTAssertFalse(corinth_test_epoch_has_called(), "a deferred poll calls no entry")
    unsafe corinth_test_epoch_destroy(epoch)
  }

  private func begin(_ reader: Int) { unsafe corinth_test_epoch_begin(epoch, reader) }
  private func end(_ reader: Int) { unsafe corinth_test_epoch_end(epoch, reader) }
  private func retire() { unsafe corinth_test_epoch_retire(epoch) }

  /// Whether one of some polls has returned the entry.
  private func isReturned(byPolls count: Int) -> Bool {
    unsafe corinth_test_epoch_polls_return(epoch, count)
  }

  func testWhatIsRetiredWithoutASectionIsReturnedOnceByFourPolls() {
    retire()
    XCTAssertTrue(isReturned(byPolls: 4))
    XCTAssertFalse(isReturned(byPolls: 4))
  }

  /// A poll that ended the wait before the section ended would free what the section reads.
  func testASectionThatIsOpenAtTheRetirementHoldsBackTheEntry() {
    begin(0)
    retire()
    XCTAssertFalse(isReturned(byPolls: 100))
    end(0)
    XCTAssertTrue(isReturned(byPolls: 4))
  }

  func testSectionsOfOthersDoNotEndTheWait() {
    begin(0)
    retire()
    for _ in 0..<100 {
      begin(1)
      XCTAssertFalse(isReturned(byPolls: 1))
      end(1)
    }
    end(0)
    XCTAssertTrue(isReturned(byPolls: 4))
  }

  /// A section ends by a decrement in assembly on x86-64, and by no call of the library.
  func testASectionIsACountThatTheOutermostEndBringsToZero() {
    begin(0)
    begin(0)
    XCTAssertEqual(unsafe corinth_test_epoch_count(epoch, 0), 2)
    retire()
    unsafe corinth_test_epoch_decrement(epoch, 0)
    XCTAssertFalse(isReturned(byPolls: 100))
    unsafe corinth_test_epoch_decrement(epoch, 0)
    XCTAssertTrue(isReturned(byPolls: 4))
  }
}
