// SPDX-License-Identifier: MIT

import XCTest

@testable import BenchmarkSupport

/// Rows of `make bench` that are measured again before they are called missed.
final class JudgedFiguresTests: XCTestCase {
  private enum Operation: String, TableLabel {
    case hit
    case miss
    case empty
  }

  private enum Column: String, TableColumn {
    case corinth = "Corinth"
    case direct
    case mutex = "Mutex"
  }

  private typealias Judged = JudgedFigures<Operation, Column>

  /// Judges the rows by a limit of 2, but for `empty`, which has none. Each measurement takes the
  /// next ratio of a row.
  private func judge(
    _ ratios: [Operation: [Double]], _ groups: [[Operation]] = [[.hit], [.miss], [.empty]]
  ) async -> (judged: Judged, measured: [[[Operation]]]) {
    var measured: [[[Operation]]] = []
    func limit(_ operation: Operation) -> Double? { operation == .empty ? nil : 2 }
    let judged = await Judged(groups, limit) { groups in
      measured.append(groups)
      return groups.flatMap { $0 }.map { operation in
        let count = measured.count { $0.joined().contains(operation) }
        let ratio = ratios[operation]?[count - 1] ?? 100
        return Figure(
          operation: operation, column: .corinth, threads: 1, nanoseconds: 10 * ratio,
          fastest: 10 * ratio, ratioToDirect: ratio, ratioToMutex: nil,
          ratioToUnobserved: nil, throughputRatio: 1)
      }
    }
    return (judged, measured)
  }

  func testARowThatIsOverItsLimitOnceAndThenUnderIsMet() async {
    let (judged, measured) = await judge([.hit: [13, 1.2], .miss: [1]])
    XCTAssertEqual(measured, [[[.hit], [.miss], [.empty]], [[.hit]]])
    XCTAssertEqual(judged.verdicts.map(\.result), [.met, .met])
    let text = judged.text(threadCounts: [1], legend: "legend", of: "rows")
    XCTAssert(
      text.contains("\n  Measured again, since beyond the limit: hit (13.00, then 1.20).\n"))
    XCTAssert(text.contains("\n  No row is missed"))
    // The table has the figure of the verdict, and not that of the first measurement.
    XCTAssert(text.contains(" 12.0 "))
    XCTAssertFalse(text.contains("130.0"))
  }

  func testARowThatStaysOverItsLimitIsMissedByItsLeastRatio() async {
    let (judged, measured) = await judge([.hit: [1], .miss: [3, 2.5, 4]])
    XCTAssertEqual(measured, [[[.hit], [.miss], [.empty]], [[.miss]], [[.miss]]])
    XCTAssertEqual(judged.verdicts.map(\.result), [.met, .missed])
    let text = judged.text(threadCounts: [1], legend: "legend", of: "rows")
    XCTAssert(text.contains("since beyond the limit: miss (3.00, then 2.50, then 4.00).\n"))
    XCTAssert(text.contains("\n  Missed: miss (2.50, limit 2.00)."))
    XCTAssert(text.contains(" 25.0 "))
  }

  func testARowIsMeasuredAgainWithItsGroupWhoseOtherRowsKeepTheirFigures() async {
    let (judged, measured) = await judge(
      [.hit: [9, 1], .miss: [1.5, 8]], [[.hit, .miss], [.empty]])
    XCTAssertEqual(measured, [[[.hit, .miss], [.empty]], [[.hit, .miss]]])
    XCTAssertEqual(judged.verdicts.map(\.ratios), [[9, 1], [1.5]])
    XCTAssert(judged.text(threadCounts: [1], legend: "", of: "rows").contains(" 15.0 "))
  }

  func testNoRowWithinATenthOfItsLimitIsMeasuredAgain() async {
    let (judged, measured) = await judge([.hit: [2.1], .miss: [1]])
    XCTAssertEqual(measured.count, 1)
    XCTAssertEqual(judged.verdicts.map(\.result), [.close, .met])
    XCTAssertFalse(
      judged.text(threadCounts: [1], legend: "", of: "rows").contains("Measured again"))
  }
}
