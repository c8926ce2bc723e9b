// SPDX-License-Identifier: MIT

import Synchronization

/// A count that any thread may change.
public final class AtomicCounter: Sendable {
  private let count: Atomic<Int>

  public init(_ initial: Int = 0) {
    count = Atomic(initial)
  }

  public var value: Int { count.load(ordering: .sequentiallyConsistent) }

  /// Adds, and returns the sum.
  @discardableResult
  public func add(_ amount: Int = 1) -> Int {
    count.add(amount, ordering: .sequentiallyConsistent).newValue
  }
}
