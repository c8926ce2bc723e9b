// SPDX-License-Identifier: MIT

import Foundation
import XCTest

extension StressTestCase {
  /// Asserts that `body`, which might deadlock, comes to an end.
  func assertEnds(
    file: StaticString = #filePath, line: UInt = #line,
    _ body: @escaping @Sendable () throws -> Void
  ) {
    let end = End()
    Thread.detachNewThread {
      do { try body() } catch { XCTFail("\(error)", file: file, line: line) }
      end.open()
    }
    XCTAssertTrue(end.comes(), "hangs", file: file, line: line)
  }

  /// As ``assertEnds(file:line:_:)``, in a task.
  func assertEndsAsync(
    file: StaticString = #filePath, line: UInt = #line,
    _ body: @escaping @Sendable () async throws -> Void
  ) {
    let end = End()
    Task.detached {
      do { try await body() } catch { XCTFail("\(error)", file: file, line: line) }
      end.open()
    }
    XCTAssertTrue(end.comes(), "hangs", file: file, line: line)
  }

  /// Not a ``Gate``: a test goes on when this does not come.
  private final class End: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)
    func open() { semaphore.signal() }
    func comes() -> Bool { semaphore.wait(timeout: .now() + 8) == .success }
  }
}
