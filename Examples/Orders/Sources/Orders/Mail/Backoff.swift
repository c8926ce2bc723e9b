// SPDX-License-Identifier: MIT

/// The time at which unsent letters are tried again: the wait doubles with every failure.
package struct Backoff: Sendable {
  package typealias Instant = ContinuousClock.Instant

  private let first: Duration
  private let longest: Duration
  private var wait: Duration
  private var next: Instant?

  /// - Parameter first: the first wait. The longest wait is 64 times as long.
  package init(first: Duration) {
    self.first = first
    longest = first * 64
    wait = first
  }

  /// Whether letters that were not sent are to be tried now.
  package func isDue(at now: Instant) -> Bool { next.map { $0 <= now } ?? false }

  /// Notes that a letter was not sent.
  package mutating func failed(at now: Instant) {
    // New failing letters do not delay the old letters.
    if next == nil { next = now + wait }
  }

  /// Begins to try all letters again.
  package mutating func retry() {
    next = nil
    wait = min(wait * 2, longest)
  }

  /// Notes that all letters were sent.
  package mutating func succeeded() { if next == nil { wait = first } }
}
