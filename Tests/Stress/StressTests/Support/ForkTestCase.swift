// SPDX-License-Identifier: MIT

import TestSupport
import XCTest

/// A test that forks beside other threads.
class ForkTestCase: ContainerTestCase {
  /// Under ThreadSanitizer each use of a static takes a lock of the runtime's, in which a child
  /// that was forked beside other threads may hang.
  override func setUpWithError() throws {
    try super.setUpWithError()
    try skipUnderThreadSanitizer("a child may hang in the runtime")
  }
}
