// SPDX-License-Identifier: MIT

import CTestSupport
import Foundation
import TestSupport
import XCTest

/// Calls `use` with the outcome of a forked child, which runs `body` in its only thread.
func withOutcomeOfAChild<Result>(
  _ body: () -> Int32, _ use: (corinth_test_outcome) -> Result
) -> Result {
  withoutActuallyEscaping(body) { body in
    var body = body
    var outcome = unsafe withUnsafeMutablePointer(to: &body) { body in
      unsafe corinth_test_fork(
        { context in
          // SAFETY: the caller waits, or is another process, for as long as this runs.
          guard let body = unsafe context?.load(as: (() -> Int32).self) else { return 2 }
          return body()
        }, body, UInt32(hangLimit.inSeconds * 1_000))
    }
    defer { unsafe corinth_test_outcome_destroy(&outcome) }
    return unsafe use(outcome)
  }
}

/// The collector is a thread.
func skipWithoutThreadsInAChild() throws {
  try skipUnderThreadSanitizer(
    "a child of a process with threads cannot start any under ThreadSanitizer")
}

/// What the `body` of a child returns, which has no test that could record a failure.
func complain(unless condition: Bool, _ text: String) -> Int32 {
  if condition { return 0 }
  FileHandle.standardError.write(Data("\(text)\n".utf8))
  return 1
}

/// Asserts that `body` returns 0 in a forked child, of which it runs in the only thread.
func assertSucceedsInAChild(
  file: StaticString = #filePath, line: UInt = #line, _ body: () -> Int32
) {
  unsafe withOutcomeOfAChild(body) { outcome in
    XCTAssertFalse(unsafe outcome.timed_out, "the child hangs", file: file, line: line)
    XCTAssertEqual(
      unsafe outcome.exit_status, 0, unsafe String(cString: outcome.error_output), file: file,
      line: line)
  }
}
