// SPDX-License-Identifier: MIT

import TestSupport
import XCTest

@testable import Corinth

/// Forks of the process while the work of a scope is cancelled from outside.
final class ScopeWorkForkTests: ForkTestCase {
  /// The end of the work waited there for threads that were the parent's.
  func testTheChildKnowsOfNoThreadThatCancelsInTheParent() throws {
    var work = ScopeWork()
    work.beginCancelling()
    try ForkedChild {
      try expect(!work.isBeingCancelled, "it waits for the parent's thread")
      work.beginCancelling()
      try expect(work.isBeingCancelled, "it does not wait for its own thread")
      work.endCancelling()
      try expect(!work.isBeingCancelled, "its own thread has gone on")
    }.checkSuccess()
    XCTAssertTrue(work.isBeingCancelled)
    work.endCancelling()
    XCTAssertFalse(work.isBeingCancelled)
  }

  func testAHandlerThatForksEndsTheCancellationInBothProcesses() throws {
    var work = ScopeWork()
    work.beginCancelling()
    try ForkedChild {
      work.endCancelling()
      try expect(!work.isBeingCancelled, "the cancellation goes on")
      work.beginCancelling()
      try expect(work.isBeingCancelled, "it does not wait for the next one")
    }.checkSuccess()
    work.endCancelling()
    XCTAssertFalse(work.isBeingCancelled)
  }
}
