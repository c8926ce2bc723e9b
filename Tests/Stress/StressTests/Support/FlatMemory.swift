// SPDX-License-Identifier: MIT

import Corinth
import Foundation
import TestSupport
import XCTest

extension StressTestCase {
  /// Does something `count` times on all cores, and asserts that it leaves no memory in use.
  ///
  /// - Parameter body: receives the number of the call among its thread's, from 0.
  func assertMemoryStaysFlat(
    after count: Int, file: StaticString = #filePath, line: UInt = #line,
    _ body: @escaping @Sendable (Int) throws -> Void
  ) throws {
    try XCTSkipIf(isSanitized, "sanitizers keep freed memory")
    let threads = max(2, ProcessInfo.processInfo.activeProcessorCount)
    func repeatBody(_ count: Int) throws -> Int {
      try onThreads(threads) { _ in for index in 0..<(count / threads) { try body(index) } }
      settleReclamation()
      return ResidentMemory.bytes ?? 0
    }
    // What caches and freed lists come to is there after a tenth.
    let before = try repeatBody(count / 10)
    let after = try repeatBody(count)
    // The smallest object takes 32 bytes. What does not grow with the count, such as the stacks of
    // threads, has a mebibyte.
    let limit = min(8 << 20, (1 << 20) + 8 * count)
    XCTAssertLessThan(
      after - before, limit, "resident memory grew from \(before) to \(after)", file: file,
      line: line)
  }
}
