// SPDX-License-Identifier: MIT

import Accounts
import Corinth
import Foundation
import TestSupport
import XCTest

/// Random programs on a tree of containers, after which each instance with a disposer is accounted
/// for: disposed of once, or reported once as dropped, or never published as its action had failed.
///
/// `CORINTH_SEED` chooses other programs, and `AccountRun` runs many more of them.
final class AccountTests: StressTestCase {
  func testEveryInstanceIsDisposedOfOnceOrReportedOnce() {
    let former = Container.onUndisposed
    defer { Container.onUndisposed = former }
    let seed = UInt64(ProcessInfo.processInfo.environment["CORINTH_SEED"] ?? "") ?? 1
    var totals = AccountSuite.Totals()
    let failure = AccountSuite(.standard).firstFailure(
      from: seed, count: StressSize.scaled(3_000, sanitized: 500), &totals)
    XCTAssertNil(failure, failure?.description ?? "")
  }

  /// Two tasks register an asynchronous singleton at the same time, and a third one resolves it.
  /// One registration is overridden between its modifiers, while the task that builds its instance
  /// has not come to the factory yet. Its disposer comes too late and changes nothing, so the
  /// instance needs no account. The suite excused only those whose factory had begun by then, and
  /// called this one lost.
  func testAnInstanceBegunFromARegistrationThatIsOverriddenBeforeItsDisposerIsNotLost() {
    let former = Container.onUndisposed
    defer { Container.onUndisposed = former }
    var totals = AccountSuite.Totals()
    let suite = AccountSuite(.standard)
    for _ in 0..<StressSize.scaled(1_000, sanitized: 200) {
      let failure = suite.firstFailure(from: 919_186, count: 1, &totals)
      XCTAssertNil(failure, failure?.description ?? "")
      if failure != nil { return }
    }
  }

  func testProgramOfASeedIsTheSameAgain() {
    for seed: UInt64 in 1...200 {
      XCTAssertEqual(
        AccountProgram(seed: seed, .standard).description,
        AccountProgram(seed: seed, .standard).description)
    }
  }
}
