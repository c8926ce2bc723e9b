// SPDX-License-Identifier: MIT

import BenchmarkSupport
import XCTest

final class LatencyHistogramTests: XCTestCase {
  func testPercentilesAreExactToOnePartIn64() {
    var low = LatencyHistogram()
    var high = LatencyHistogram()
    for duration in 1...5_000 as ClosedRange<UInt64> { low.record(duration) }
    for duration in 5_001...10_000 as ClosedRange<UInt64> { high.record(duration) }
    low.add(high)
    XCTAssertEqual(low.total, 10_000)
    for fraction in [0.001, 0.5, 0.99, 0.999] {
      let exact = fraction * 10_000
      let found = Double(low.percentile(fraction))
      XCTAssertTrue(found >= exact && found <= exact * (1 + 1.0 / 64), "\(fraction): \(found)")
    }
  }

  func testTheLongestDurationHasABucket() {
    var histogram = LatencyHistogram()
    histogram.record(.max)
    XCTAssertEqual(histogram.percentile(0.5), .max)
  }

  func testNothingRecordedIsZero() {
    XCTAssertEqual(LatencyHistogram().percentile(0.5), 0)
  }
}
