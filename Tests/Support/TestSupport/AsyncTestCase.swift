// SPDX-License-Identifier: MIT

import XCTest

/// A test of tasks that wait for further tasks.
open class AsyncTestCase: ContainerTestCase {
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
