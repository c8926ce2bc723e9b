// SPDX-License-Identifier: MIT

import CTestSupport
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
        }, body, 60_000)
    }
    defer { unsafe corinth_test_outcome_destroy(&outcome) }
    return unsafe use(outcome)
  }
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
