// SPDX-License-Identifier: MIT

import Foundation
import RandomGraphs
import TestSupport
import XCTest

/// Random graphs of services, checked against the promises of the guides.
///
/// They run in a child process: a graph that hangs or crashes is reported and shrunk.
/// `CORINTH_STRESS` sizes the runs and `CORINTH_SEED` chooses other graphs.
final class RandomGraphTests: XCTestCase {
  private func check(_ profile: String, line: UInt = #line) {
    let seed = ProcessInfo.processInfo.environment["CORINTH_SEED"] ?? "1"
    let child = ChildRun(
      .randomGraphRun,
      [
        "--profile", profile, "--count", "\(StressSize.scaled(250))", "--seed", seed, "--patience",
        "60",
      ], limit: nil)
    XCTAssertEqual(child.status, 0, child.describe(), line: line)
  }

  func testCleanGraphs() { check("clean") }
  func testAcyclicGraphs() { check("acyclic") }
  func testGraphsWithoutActions() { check("no-after-init") }
  func testSynchronousGraphs() { check("sync") }
  func testAsynchronousGraphs() { check("async") }
  func testMixedGraphs() { check("mixed") }
  func testGraphsWithAllFeatures() { check("chaos") }
  func testGraphsThatAreClosedMeanwhile() { check("closing") }
}
