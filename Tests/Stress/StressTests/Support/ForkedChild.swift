// SPDX-License-Identifier: MIT

import CTestSupport
import Foundation
import TestSupport
import XCTest

/// How a child process ended.
struct ForkedChild {
  let timedOut: Bool
  let exitStatus: Int32
  let signal: Int32
  let errorOutput: String

  /// Forks, and runs `body` in the child: on its only thread, without the test framework. When it
  /// throws, the error goes to stderr and the exit status is 1.
  init(_ body: () throws -> Void) {
    let milliseconds = UInt32(hangLimit.inSeconds * 1_000)
    self = withoutActuallyEscaping(body) { body in
      var body = body
      return unsafe withUnsafeMutablePointer(to: &body) { body in
        var outcome = unsafe corinth_test_fork(
          { context in
            let context: UnsafeMutableRawPointer? = unsafe context
            guard let context = unsafe context else { return 1 }
            // SAFETY: the caller waits, or is another process, for as long as this runs.
            return unsafe ForkedChild.run(context.load(as: (() throws -> Void).self))
          }, body, milliseconds)
        defer { unsafe corinth_test_outcome_destroy(&outcome) }
        return unsafe ForkedChild(outcome)
      }
    }
  }

  private init(_ outcome: corinth_test_outcome) {
    unsafe timedOut = outcome.timed_out
    unsafe exitStatus = outcome.exit_status
    unsafe signal = outcome.signal
    unsafe errorOutput = String(cString: outcome.error_output)
  }

  private static func run(_ body: () throws -> Void) -> Int32 {
    do {
      try body()
      return 0
    } catch {
      FileHandle.standardError.write(Data("\(error)\n".utf8))
      return 1
    }
  }

  /// Throws when the child hung, was ended by a signal, or threw.
  func checkSuccess(line: UInt = #line) throws {
    try expect(!timedOut, "the child hangs; \(errorOutput)", line: line)
    try expect(signal == 0, "the child ended by signal \(signal); \(errorOutput)", line: line)
    try expect(exitStatus == 0, errorOutput, line: line)
  }
}

/// What a child throws when it sees something wrong.
struct Expectation: Error, CustomStringConvertible {
  let description: String
}

/// Throws unless `condition` holds: in a child there is no test that could record a failure.
func expect(_ condition: Bool, _ message: String, line: UInt = #line) throws {
  if !condition { throw Expectation(description: "line \(line): \(message)") }
}
