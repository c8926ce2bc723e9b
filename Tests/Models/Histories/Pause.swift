// SPDX-License-Identifier: MIT

import Foundation
import Synchronization

extension HistoryScript.Pause {
  /// Lets other threads go ahead for a while.
  func take() {
    switch self {
    case .none: break
    case .spin(let count): for _ in 0..<count { _ = Self.spins.load(ordering: .relaxed) }
    case .yield: sched_yield()
    }
  }

  /// Read so that the loop is not optimized away.
  private static let spins = Atomic<Int>(0)
}
