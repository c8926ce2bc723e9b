// SPDX-License-Identifier: MIT

import Foundation
import Histories
import TestSupport
import XCTest

/// The check finds what is wrong with containers that have faults, and nothing with one that has
/// none.
final class FaultyModelTests: XCTestCase {
  override func setUpWithError() throws {
    try skipUnderThreadSanitizer("no container: the models are the tests' own")
  }

  private func firstFailure(_ fault: ModelSubject.Fault?, count: Int) -> HistorySuite.Failure? {
    let runner = HistoryRunner { _, tracker in ModelSubject(fault, tracker) }
    defer { runner.stop() }
    return HistorySuite(on: runner, shrinks: false).firstFailure(from: 1, count: count)
  }

  func testAModelWithoutAFaultPasses() {
    let failure = firstFailure(nil, count: StressSize.scaled(1_000))
    XCTAssertNil(failure, failure?.description ?? "")
  }

  func testEachFaultIsFound() {
    for fault in ModelSubject.Fault.allCases {
      XCTAssertNotNil(firstFailure(fault, count: 20_000), "\(fault)")
    }
  }

  /// It takes two threads that resolve to build an instance twice.
  func testAFailureIsMadeSmall() throws {
    let runner = HistoryRunner { _, tracker in ModelSubject(.buildsTwice, tracker) }
    defer { runner.stop() }
    var seeds = (UInt64(1)...1_000).lazy.map { HistoryScript(seed: $0) }.makeIterator()
    while let script = seeds.next() {
      let shrinker = HistoryShrinker(rounds: 1_000, on: runner)
      guard let smallest = shrinker.shrink(script) else { continue }
      XCTAssertLessThanOrEqual(smallest.script.operations.count, 4, smallest.script.description)
      XCTAssertFalse(smallest.problems.isEmpty)
      return
    }
    XCTFail("no failure")
  }
}
