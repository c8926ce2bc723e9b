// SPDX-License-Identifier: MIT

import Synchronization

/// Counts events.
package final class Counter: Sendable {
  private let count = Atomic(0)

  package init() {}

  package var value: Int { count.load(ordering: .relaxed) }

  package func add(_ amount: Int = 1) { count.add(amount, ordering: .relaxed) }
}
