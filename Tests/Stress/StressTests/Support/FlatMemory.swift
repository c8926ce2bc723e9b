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
    func repeatBody(_ count: Int) throws {
      try onThreads(threads) { _ in for index in 0..<(count / threads) { try body(index) } }
      settleReclamation()
    }
    // What caches and freed lists come to is there after a tenth.
    try repeatBody(count / 10)
    // The smallest object takes 32 bytes, and a body may leave it one time in four. What does not
    // grow with the count has the constant part.
    try assertMemoryInUse(growsByAtMost: (128 << 10) + 4 * count, file: file, line: line) {
      try repeatBody(count)
    }
  }
}
