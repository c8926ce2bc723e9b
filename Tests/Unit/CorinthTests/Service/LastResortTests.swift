// SPDX-License-Identifier: MIT

import TestSupport
import XCTest

/// Services that cannot go on, in a process of their own.
///
/// Requests that blocked all threads that tasks share kept a service from ending: signals did
/// nothing, however many came.
final class LastResortTests: XCTestCase {
  private func run(signals: Int, _ mode: String...) -> (status: Int32, output: String) {
    let run = ChildRun(
      .product("BlockedServiceRun"), ["\(signals)"] + mode, limit: hangLimit.inSeconds)
    return (run.status, run.describe())
  }

  private func assertReport(
    _ output: String, file: StaticString = #filePath, line: UInt = #line
  ) {
    for text in [
      "the service could not end in time: the threads that tasks share are blocked. Still open:",
      "  a request scope, made at BlockedServiceRun/main.swift:",
      "  Pool, not disposed of, registered at BlockedServiceRun/main.swift:",
      "  Report, under construction, registered at BlockedServiceRun/main.swift:",
    ] { XCTAssertTrue(output.contains(text), output, file: file, line: line) }
  }

  func testAServiceThatCannotGoOnReportsWhatIsOpenAndEndsItsProcess() {
    for signals in [1, 2] {
      let (status, output) = run(signals: signals)
      XCTAssertEqual(status, EXIT_FAILURE, output)
      assertReport(output)
    }
  }

  /// What runs before the draining has no limit: only a second signal says that it is to end.
  func testTheSecondSignalEndsAPreparationThatHasNoThread() {
    let (status, output) = run(signals: 2, "preparing")
    XCTAssertEqual(status, EXIT_FAILURE, output)
    assertReport(output)
  }

  func testAnActionOfTheUsersReplacesTheEndOfTheProcess() {
    let (status, output) = run(signals: 2, "own")
    XCTAssertEqual(status, 3, output)
    XCTAssertTrue(output.contains("own: "), output)
    assertReport(output)
  }

  func testAServiceThatGoesOnNeedsNone() {
    let (status, output) = run(signals: 1, "free")
    XCTAssertEqual(status, 0, output)
    XCTAssertTrue(output.hasPrefix("ended: 1 request scope was still open"), output)
  }
}
