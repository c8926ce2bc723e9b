// SPDX-License-Identifier: MIT

import Corinth
import XCTest

final class SourceLocationTests: XCTestCase {
  private func location(file: StaticString, line: UInt) throws -> SourceLocation {
    try Container().register(Int.self, file: file, line: line) { _ in 1 }.location
  }

  func testALocationIsDescribedAsFileAndLine() throws {
    let place = try location(file: "App/Main.swift", line: 12)
    XCTAssertEqual(place.file, "App/Main.swift")
    XCTAssertEqual(place.line, 12)
    XCTAssertEqual(place.description, "App/Main.swift:12")
  }

  func testLocationsAreEqualByFileAndLine() throws {
    let place = try location(file: "App/Main.swift", line: 12)
    XCTAssertEqual(place, try location(file: "App/Main.swift", line: 12))
    XCTAssertNotEqual(place, try location(file: "App/Main.swift", line: 13))
    XCTAssertNotEqual(place, try location(file: "App/Other.swift", line: 12))
    XCTAssertEqual(Set([place, place]).count, 1)
  }
}
