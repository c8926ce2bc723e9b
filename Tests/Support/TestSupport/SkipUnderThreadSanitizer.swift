// SPDX-License-Identifier: MIT

import CTestSupport
import XCTest

/// Skips a long test of a single thread under ThreadSanitizer, which can find nothing where no second thread runs.
public func skipUnderThreadSanitizer() throws {
  try XCTSkipIf(
    corinth_test_sanitizer_in_use() == corinth_test_sanitizer_thread,
    "a single thread, on which ThreadSanitizer finds nothing")
}
