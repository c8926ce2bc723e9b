// SPDX-License-Identifier: MIT

import BenchmarkSupport
import Foundation

/// The system calls of a program and its threads, counted by strace.
struct SystemCalls: Codable, Sendable {
  let membarrier: Int
  let futex: Int
  let all: Int

  init(of command: [String]) throws {
    let result = try run(["strace", "-f", "-c"] + command)
    guard result.status == 0 else { fail("'strace' failed: \(result.errorOutput)") }
    // % time, seconds, microseconds a call, calls, errors if there are any, name
    let rows = result.errorOutput.split(separator: "\n").map { $0.split(separator: " ") }
    func calls(_ name: String) -> Int {
      rows.first { $0.last == name[...] && $0.count > 4 }.flatMap { Int($0[3]) } ?? 0
    }
    (membarrier, futex, all) = (calls("membarrier"), calls("futex"), calls("total"))
  }
}
