// SPDX-License-Identifier: MIT

import Foundation

/// Where the cases of a test wait for each other in pairs, so that they overlap.
// SAFETY: the variables are only touched with the lock held, which is one that ThreadSanitizer
// sees.
final class Meetings: @unchecked Sendable {
  private let lock = NSLock()
  private var waiting: CheckedContinuation<Void, Never>?
  private var pairs = 0
  private var isOver = false

  /// Whether the test runner was told to run the cases one after the other: nobody waits then.
  let areImpossible = CommandLine.arguments.contains("--no-parallel")

  /// How many pairs have met.
  var count: Int { lock.withLock { pairs } }

  /// Returns when another case has called this too. If none comes for a while, nobody waits any
  /// more: there may be no other.
  func meet() async {
    if areImpossible { return }
    let limit = Task {
      try await Task.sleep(for: .seconds(60))
      leave()
    }
    await withCheckedContinuation { arrive($0) }
    limit.cancel()
  }

  private func arrive(_ continuation: CheckedContinuation<Void, Never>) {
    let resumed: [CheckedContinuation<Void, Never>] = lock.withLock {
      if isOver { return [continuation] }
      guard let other = waiting else {
        waiting = continuation
        return []
      }
      waiting = nil
      pairs += 1
      return [other, continuation]
    }
    for continuation in resumed { continuation.resume() }
  }

  private func leave() {
    let left = lock.withLock {
      defer { waiting = nil }
      isOver = true
      return waiting
    }
    left?.resume()
  }
}
