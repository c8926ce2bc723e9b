// SPDX-License-Identifier: MIT

import Foundation

/// Where the cases of a test wait for each other in pairs, so that they overlap.
// SAFETY: the variables are only touched with the lock held, which is one that ThreadSanitizer sees.
final class Meetings: @unchecked Sendable {
  private let lock = NSLock()
  private var waiting: CheckedContinuation<Void, Never>?
  private var pairs = 0

  /// Whether the test runner was told to run the cases one after the other: nobody waits then.
  let areImpossible = CommandLine.arguments.contains("--no-parallel")

  /// How many pairs have met.
  var count: Int { lock.withLock { pairs } }

  /// Returns when another case has called this too, or when none has come for a while: the last one of an odd number
  /// meets nobody.
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
    let other = lock.withLock {
      defer { waiting = waiting == nil ? continuation : nil }
      if waiting != nil { pairs += 1 }
      return waiting
    }
    guard let other else { return }
    other.resume()
    continuation.resume()
  }

  private func leave() {
    let left = lock.withLock {
      defer { waiting = nil }
      return waiting
    }
    left?.resume()
  }
}
