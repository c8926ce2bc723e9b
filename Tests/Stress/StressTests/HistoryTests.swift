// SPDX-License-Identifier: MIT

import Foundation
import Histories
import TestSupport
import XCTest

/// Random operations of several threads on few keys, judged afterwards: a container does what it
/// would do if they had been done one after the other. `KeySpecification` says what that is.
///
/// `CORINTH_SEED` chooses other histories, and `HistoryRun` makes many more of them.
final class HistoryTests: StressTestCase {
  func testHistoriesAreLinearizable() {
    let text = ProcessInfo.processInfo.environment["CORINTH_SEED"] ?? ""
    let runner = HistoryRunner { ContainerSubject($0, $1) }
    defer { runner.stop() }
    let failure = HistorySuite(on: runner).firstFailure(
      from: UInt64(text) ?? 1, count: StressSize.scaled(2_000, sanitized: 500))
    XCTAssertNil(failure, failure?.description ?? "")
  }
}
