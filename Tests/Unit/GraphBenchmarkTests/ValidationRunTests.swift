// SPDX-License-Identifier: MIT

import XCTest

@testable import GraphBenchmark

final class ValidationRunTests: XCTestCase {
  func testTheCyclesOfTheDebianPackagesAreFoundWithoutAFactory() throws {
    let graph = try GraphInput(nil).read()
    XCTAssertEqual(graph.packages.count, 1_216)
    let failures = Failures()
    let results = try ValidationRun(graph: graph).run(failures: failures)
    XCTAssertEqual(
      Set(results.cycles.map(Set.init)),
      [["libc6", "libgcc-s1"], ["dmsetup", "libdevmapper1.02.1"]])
    XCTAssertEqual(results.otherFindings, 0)
    XCTAssertEqual(failures.count, 0)
  }
}
