// SPDX-License-Identifier: MIT

import XCTest

@testable import GraphBenchmark

final class ZipfDistributionTests: XCTestCase {
  func testTheElementOfRankRIsDrawnInProportionToOneByR() {
    let elements = [7, 3, 5, 1]
    let draws = 1_000_000
    let zipf = ZipfDistribution(of: elements, exponent: 1)
    var random = RandomBits(seed: 1)
    var counts: [Int: Int] = [:]
    for _ in 0..<draws { counts[zipf.draw(&random), default: 0] += 1 }
    let sum = 1 + 1.0 / 2 + 1.0 / 3 + 1.0 / 4
    for (index, element) in elements.enumerated() {
      let expected = 1 / Double(index + 1) / sum
      XCTAssertEqual(Double(counts[element] ?? 0) / Double(draws), expected, accuracy: 0.002)
    }
    XCTAssertEqual(counts.count, elements.count)
  }

  func testOneElementIsAlwaysDrawn() {
    var random = RandomBits(seed: 1)
    let zipf = ZipfDistribution(of: [9], exponent: 1)
    XCTAssertEqual((0..<100).map { _ in zipf.draw(&random) }, Array(repeating: 9, count: 100))
  }
}
