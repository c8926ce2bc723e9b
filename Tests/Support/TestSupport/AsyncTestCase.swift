// SPDX-License-Identifier: MIT

import XCTest

/// A test of tasks that wait for each other: one that hangs ends the process.
open class AsyncTestCase: ContainerTestCase {
  private var watchdog: Watchdog?

  open override func setUp() {
    super.setUp()
    watchdog = Watchdog(guarding: name)
  }

  open override func tearDown() {
    watchdog?.stop()
    watchdog = nil
    super.tearDown()
  }

  /// Asserts that `body` throws, and hands the error to `check`.
  public func assertThrows<Value>(
    file: StaticString = #filePath, line: UInt = #line,
    _ body: nonisolated(nonsending) () async throws -> Value,
    _ check: (any Error) -> Void = { _ in }
  ) async {
    switch await outcome(of: body) {
    case .success: XCTFail("no error", file: file, line: line)
    case .failure(let error): check(error)
    }
  }
}
