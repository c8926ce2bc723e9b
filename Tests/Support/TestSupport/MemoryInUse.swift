// SPDX-License-Identifier: MIT

internal import CTestSupport
internal import XCTest

/// Fails if `body` leaves more memory in use than `limit`, in bytes.
///
/// Counts what the allocator has given out, which tells a few bytes of each call after thousands of
/// calls: resident memory tells the same after a hundred times as many. Threads that run on keep
/// some hundred kilobytes for themselves. Sanitizers keep freed memory, and some allocators do not
/// say what is in use: `body` runs without the check.
public func assertMemoryInUse(
  growsByAtMost limit: Int, file: StaticString = #filePath, line: UInt = #line,
  _ body: () throws -> Void
) rethrows {
  let before = corinth_test_memory_in_use()
  try body()
  let after = corinth_test_memory_in_use()
  if isSanitized || before == 0 { return }
  XCTAssertLessThan(
    Int(after) - Int(before), limit, "memory in use grew from \(before) to \(after)", file: file,
    line: line)
}
