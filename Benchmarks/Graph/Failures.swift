// SPDX-License-Identifier: MIT

internal import Synchronization

/// Counts the failures on all threads, and keeps the first failure.
final class Failures: Sendable {
  private let state = Mutex((count: 0, first: String?.none))

  var count: Int { state.withLock { $0.count } }
  var first: String? { state.withLock { $0.first } }

  func record(_ failure: @autoclosure () -> String) {
    let text = failure()
    state.withLock { state in
      state.count += 1
      state.first = state.first ?? text
    }
  }
}
