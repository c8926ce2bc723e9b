// SPDX-License-Identifier: MIT

import Foundation
import XCTest

extension StressTestCase {
  /// Asserts that `body`, which might deadlock, comes to an end. One that does not ends the
  /// process: its threads would stay, and make other tests fail.
  func assertEnds(
    file: StaticString = #filePath, line: UInt = #line,
    _ body: @escaping @Sendable () throws -> Void
  ) {
    let end = Gate()
    Thread.detachNewThread {
      do { try body() } catch { XCTFail("\(error)", file: file, line: line) }
      end.open()
    }
    end.wait(file: file, line: line)
  }

  /// As ``assertEnds(file:line:_:)``, in a task.
  func assertEndsAsync(
    file: StaticString = #filePath, line: UInt = #line,
    _ body: @escaping @Sendable () async throws -> Void
  ) {
    let end = Gate()
    Task.detached {
      do { try await body() } catch { XCTFail("\(error)", file: file, line: line) }
      end.open()
    }
    end.wait(file: file, line: line)
  }
}
