// SPDX-License-Identifier: MIT

import XCTest

@testable import BenchmarkSupport

/// Rows of `make bench` beside their limits.
final class RowVerdictTests: XCTestCase {
  private func verdict(_ ratio: Double, of limit: Double = 2) -> RowVerdict {
    RowVerdict("a row", beside: "Mutex", [ratio], limit)
  }

  /// A run on a busy machine called a row missed that the next one called met.
  func testARowNearItsLimitIsCloseOnEitherSide() {
    XCTAssertEqual(verdict(1.7).result, .met)
    XCTAssertEqual(verdict(1.9).result, .close)
    XCTAssertEqual(verdict(2).result, .close)
    XCTAssertEqual(verdict(2.1).result, .close)
    XCTAssertEqual(verdict(2.3).result, .missed)
  }

  func testTheSummarySaysInWordsWhetherItIsWell() {
    let direct = RowVerdict("another", beside: "direct", [1], 2)
    XCTAssertEqual(
      RowVerdict.summary([verdict(1), verdict(1.95), direct], of: "rows"),
      """
      In short, rows:
        2 rows beside a dictionary behind a mutex: Corinth takes 1.00 to 1.95 times as long.
        1 row beside code without a container: Corinth takes 1.00 to 1.00 times as long.
        Close to the limit, which fails nothing: a row (1.95, limit 2.00).
        No row is missed: all is well.
      """)
    XCTAssertEqual(
      RowVerdict.summary([verdict(3)], of: "rows"),
      """
      In short, rows:
        1 row beside a dictionary behind a mutex: Corinth takes 3.00 to 3.00 times as long.
        Missed: a row (3.00, limit 2.00). Something takes longer than it should.
      """)
  }
}
