// SPDX-License-Identifier: MIT

import Foundation
import RandomGraphs
import TestSupport
import XCTest

/// Hangs and crashes, which are only visible from outside of the process.
final class RandomGraphRunTests: XCTestCase {
  private func run(_ graph: String, _ more: [String] = []) -> ChildRun {
    ChildRun(
      .product("RandomGraphRun"), ["--graph", graph + "\n", "--patience", "1"] + more,
      limit: hangLimit.inSeconds)
  }

  func testGraphThatWorksEndsWithoutAFailure() {
    XCTAssertEqual(run("s0 singleton in c0\ncaller thread in c0 s0").status, 0)
  }

  /// Random runs, or a prototype, have failed on these.
  func testGraphsThatOnceFailedEndWithoutAFailure() throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Graphs")
    let files = try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil)
    XCTAssertGreaterThanOrEqual(files.count, 8)
    for file in files {
      let graph = try String(contentsOf: file, encoding: .utf8)
      let child = ChildRun(
        .product("RandomGraphRun"),
        [
          "--graph", graph, "--rounds", "\(StressSize.scaled(200, sanitized: 50))", "--no-shrink",
        ],
        limit: hangLimit.inSeconds
      )
      XCTAssertEqual(child.status, 0, "\(file.lastPathComponent): \(child.describe())")
    }
  }

  func testHangIsReported() {
    for service in ["s0 singleton in c0 pause:forever", "s0 async singleton in c0 pause:forever"] {
      let child = run(service + "\ncaller task in c0 s0")
      XCTAssertEqual(child.status, 3)
      XCTAssertTrue(child.describe().hasPrefix("hang: "), child.describe())
    }
  }

  func testCrashIsReportedAndShrunk() {
    let child = run(
      """
      s0 singleton in c0 factory s1 s2
      s1 transient in c0
      s2 singleton in c0 pause:trap
      caller thread in c0 s0 s1
      caller task in c0 s1
      """, ["--shrink"])
    XCTAssertEqual(child.status, 3)
    XCTAssertTrue(
      child.describe().contains(
        """
        c0 root
        s0 singleton in c0 pause:trap
        caller thread in c0 s0
        crash: 
        """), child.describe())
  }
}
