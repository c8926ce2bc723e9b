// SPDX-License-Identifier: MIT

import Foundation
internal import XCTest

/// The running test cases: a test case, and the test cases that it runs itself.
public enum RunningTests {
  private static let names = Locked<[String]>([])

  /// Ends the process, and names the test that runs.
  public static func end(because reason: String, _ file: StaticString, _ line: UInt) -> Never {
    let name = names.withLock { $0.last } ?? "no test"
    fatalError("\(reason), in \(name)", file: file, line: line)
  }

  /// Notes the running test cases, and has a watchdog for each.
  fileprivate final class Observer: NSObject, XCTestObservation {
    /// The watchdogs of the test cases in ``names``.
    private var watchdogs: [Watchdog] = []

    func testCaseWillStart(_ testCase: XCTestCase) {
      let name = testCase.name
      names.withLock { $0.append(name) }
      // A stress test may run for long because it was told to.
      watchdogs.append(
        Watchdog(guarding: "the test", limit: hangLimit * 2 * max(1, StressSize.multiplier)))
    }

    func testCaseDidFinish(_ testCase: XCTestCase) {
      watchdogs.removeLast().stop()
      names.withLock { _ = $0.removeLast() }
    }
  }
}

/// Called as the program starts, by C: the test cases have no class of the project's own in common.
@_cdecl("corinth_test_observe")
public func observeTests() {
  XCTestObservationCenter.shared.addTestObserver(RunningTests.Observer())
}
