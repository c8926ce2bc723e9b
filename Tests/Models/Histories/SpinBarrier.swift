// SPDX-License-Identifier: MIT

import Foundation
import Synchronization

/// Lets threads go on when all of them have arrived, as close together as the machine can.
///
/// A thread that waits spins, as a wake-up by the system takes longer than most histories. After a
/// while it lets others run: there may be fewer cores than threads.
final class SpinBarrier: Sendable {
  private let count: Int
  private let arrivals = Atomic<Int>(0)

  init(_ count: Int) {
    self.count = count
  }

  /// - Parameter round: how many times all threads have waited before.
  func wait(round: Int) {
    arrivals.add(1, ordering: .acquiringAndReleasing)
    var spins = 0
    // Pairs with the additions of the other threads.
    while arrivals.load(ordering: .acquiring) < (round + 1) * count {
      spins += 1
      if spins % 256 == 0 { sched_yield() }
    }
  }
}
