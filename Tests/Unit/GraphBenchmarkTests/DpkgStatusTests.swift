// SPDX-License-Identifier: MIT

import XCTest

@testable import GraphBenchmark

final class DpkgStatusTests: XCTestCase {
  func testReadsInstalledPackagesAndTheirFirstInstalledAlternatives() throws {
    let entries = try parse(
      """
      Package: app
      Status: install ok installed
      Pre-Depends: base (>= 2.0)
      Depends: gone | base:any, mail-agent,
       tool [amd64]

      Package: base
      Status: install ok installed

      Package: gone
      Status: deinstall ok config-files

      Package: mailer
      Status: install ok installed
      Provides: mail-agent (= 1)
      Depends: mail-agent

      """)
    XCTAssertEqual(
      entries,
      [
        PackageEntry(name: "app", dependencies: ["base", "base", "mailer", "tool"]),
        PackageEntry(name: "base", dependencies: []),
        PackageEntry(name: "mailer", dependencies: []),
      ])
    let graph = PackageGraph(entries)
    XCTAssertEqual(graph.dependencies, [[1, 2], [], []])
    XCTAssertEqual(graph.absentDependencies, 1)
  }

  func testAPackageOfTwoArchitecturesIsOne() throws {
    let entries = try parse(
      """
      Package: library
      Status: install ok installed
      Architecture: amd64
      Depends: a

      Package: library
      Status: install ok installed
      Architecture: i386
      Depends: b
      """)
    XCTAssertEqual(entries, [PackageEntry(name: "library", dependencies: ["a", "b"])])
  }

  func testALineThatIsNoFieldIsRefused() {
    assertRefused(
      "Package: a\nno field", "input:2: expected 'Field: value', found 'no field'.")
  }

  func testAContinuationOfNothingIsRefused() {
    assertRefused(
      "Package: a\nStatus: x\n\n more",
      "input:4: expected 'Field: value', found the continuation of a field that is not there.")
  }

  func testAParagraphWithoutStatusIsRefused() {
    assertRefused(
      "Package: a\nStatus: x\n\nPackage: b\n",
      "input:4: expected a paragraph with a field 'Status: value', found none.")
  }

  func testAnInstalledParagraphWithoutPackageIsRefused() {
    assertRefused(
      "Status: install ok installed",
      "input:1: expected a paragraph with a field 'Package: value', found none.")
  }

  private func parse(_ text: String) throws -> [PackageEntry] {
    try DpkgStatus.parse(InputLines(Array(text.utf8), of: "input"))
  }

  private func assertRefused(_ text: String, _ message: String, line: UInt = #line) {
    XCTAssertThrowsError(try parse(text), line: line) {
      XCTAssertEqual("\($0)", message, line: line)
    }
  }
}
