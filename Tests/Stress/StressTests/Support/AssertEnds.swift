// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import XCTest

extension StressTestCase {
  /// Asserts that `body`, which might deadlock, comes to an end. One that does not ends the process: its threads would stay,
  /// and make other tests fail.
  func assertEnds(
    file: StaticString = #filePath, line: UInt = #line,
    _ body: @escaping @Sendable () throws -> Void
  ) {
    let end = End()
    Thread.detachNewThread {
      do { try body() } catch { XCTFail("\(error)", file: file, line: line) }
      end.open()
    }
    end.await(of: name, file, line)
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
    end.await(of: name, file, line)
  }

  /// Not a ``Gate``, which a test waits for without a limit.
  private final class End: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)
    func open() { semaphore.signal() }

    func await(of test: String, _ file: StaticString, _ line: UInt) {
      let limit = DispatchTime.now() + .seconds(Int(hangLimit.components.seconds))
      if semaphore.wait(timeout: limit) == .success { return }
      fatalError("\(test) hangs, at \(file):\(line)")
    }
  }
}
