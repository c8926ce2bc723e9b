// SPDX-License-Identifier: MIT

import XCTest

@testable import GraphBenchmark

final class TabSeparatedGraphTests: XCTestCase {
  func testReadsPackagesAndSkipsCommentsAndEmptyLines() throws {
    XCTAssertEqual(
      try parse("# comment\n\na\tb  c\r\nb\t\nc\ta"),
      [
        PackageEntry(name: "a", dependencies: ["b", "c"]),
        PackageEntry(name: "b", dependencies: []),
        PackageEntry(name: "c", dependencies: ["a"]),
      ])
  }

  func testALineWithoutATabIsRefused() {
    assertRefused(
      "a\tb\nb c",
      "input:2: expected package<TAB>dependencies separated by spaces, found no tab in 'b c'.")
  }

  func testALineWithTwoTabsIsRefused() {
    assertRefused(
      "a\tb\tc",
      "input:1: expected package<TAB>dependencies separated by spaces, "
        + "found 2 tabs in 'a\tb\tc'.")
  }

  func testALineWithoutAPackageIsRefused() {
    assertRefused("\tb", "input:1: expected a package before the tab, found nothing before 'b'.")
  }

  func testAPackageWithASpaceIsRefused() {
    assertRefused(
      "a b\tc", "input:1: expected a package without spaces before the tab, found 'a b'.")
  }

  func testASecondLineForAPackageIsRefusedAndTheFirstNamed() {
    assertRefused(
      "a\t\n#\nb\t\na\tb", "input:4: expected each package once, found 'a' again, after line 1.")
  }

  func testBytesThatAreNotTextAreRefused() {
    assertRefused(
      Array("a\t\n".utf8) + [0xFF], "input:2: expected UTF-8 text, found other bytes.")
  }

  private func parse(_ text: String) throws -> [PackageEntry] {
    try TabSeparatedGraph.parse(InputLines(Array(text.utf8), of: "input"))
  }

  private func assertRefused(_ text: String, _ message: String, line: UInt = #line) {
    assertRefused(Array(text.utf8), message, line: line)
  }

  private func assertRefused(_ bytes: [UInt8], _ message: String, line: UInt = #line) {
    XCTAssertThrowsError(
      try TabSeparatedGraph.parse(InputLines(bytes, of: "input")), line: line
    ) { XCTAssertEqual("\($0)", message, line: line) }
  }
}
