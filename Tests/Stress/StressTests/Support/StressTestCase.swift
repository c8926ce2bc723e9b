// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

/// A test of what several threads do at once.
class StressTestCase: XCTestCase {
  override func setUp() {
    super.setUp()
    // Most tests drop what they have made.
    Container.onUndisposed = nil
    // What the test retires is not to wait because others have retired much.
    settleReclamation()
  }

  /// Asserts that `tracker` has made instances and that none of them is left.
  func assertNoneLeft(
    _ tracker: LifetimeTracker, file: StaticString = #filePath, line: UInt = #line
  ) {
    settleReclamation()
    XCTAssertGreaterThan(tracker.created, 0, "nothing was created", file: file, line: line)
    XCTAssertEqual(tracker.alive, 0, "instances are left", file: file, line: line)
  }
}

extension StressTestCase {
  /// As ``assertNoneLeft(_:file:line:)``, where tasks have built. From a test that is not one
  /// itself.
  func assertNoneLeftInTasks(
    _ tracker: LifetimeTracker, file: StaticString = #filePath, line: UInt = #line
  ) {
    assertEndsAsync(file: file, line: line) { await tracker.waitUntilNoneIsLeft() }
    assertNoneLeft(tracker, file: file, line: line)
  }
}

/// A stress test that a subclass repeats with containers in which almost all keys collide.
class ContainerTestCase: StressTestCase {
  /// How many bits of a key's hash count.
  var fingerprintBits: UInt32 { 64 }

  func makeContainer() -> Container { Container(fingerprintBits: fingerprintBits) }
}
