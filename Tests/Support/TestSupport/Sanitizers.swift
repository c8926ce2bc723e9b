// SPDX-License-Identifier: MIT

import CTestSupport
import XCTest

/// Whether the code under test was built with a sanitizer. Each sanitizer keeps freed memory, and
/// makes the code slow.
public let isSanitized = corinth_test_sanitizer_in_use() != corinth_test_sanitizer_none

/// Skips a test under ThreadSanitizer: a long test of a single thread, where ThreadSanitizer finds
/// nothing, or a test that forks while other threads run, whose child would find a lock of the
/// Swift runtime held.
public func skipUnderThreadSanitizer(
  _ reason: String = "a single thread, on which ThreadSanitizer finds nothing"
) throws {
  try XCTSkipIf(corinth_test_sanitizer_in_use() == corinth_test_sanitizer_thread, reason)
}
