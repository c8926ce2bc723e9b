// SPDX-License-Identifier: MIT

import Foundation
import Synchronization
import TestSupport

/// Lets threads go on at the same moment, again and again: they wait for one another without going
/// to sleep, as those that are woken go on one after the other.
final class Rendezvous: Sendable {
  private let threads: Int
  private let arrivals = Atomic<Int>(0)

  init(_ threads: Int) {
    self.threads = threads
  }

  /// - Parameter round: how often the thread has been here before.
  func wait(_ round: Int) {
    arrivals.add(1, ordering: .acquiringAndReleasing)
    var spins = 0
    while arrivals.load(ordering: .acquiring) < threads * (round + 1) {
      spins += 1
      if spins % 1000 == 0 { sched_yield() }
    }
  }
}

/// Has two threads race for each of `subjects`, which they come to at the same moment.
///
/// - Returns: for each of the subjects, the two results.
func race<Subject: Sendable, Result: Sendable>(
  for subjects: [Subject], _ body: @escaping @Sendable (Subject, _ thread: Int) -> Result
) throws -> [[Result]] {
  let rendezvous = Rendezvous(2)
  let results = try onThreads(2) { thread in
    subjects.enumerated().map { round, subject in
      rendezvous.wait(round)
      return body(subject, thread)
    }
  }
  return zip(results[0], results[1]).map { [$0, $1] }
}
