// SPDX-License-Identifier: MIT

import Synchronization

/// Numbers things from 1, within one container.
final class Identifiers: Sendable {
  private let last = Atomic(0)

  func next() -> Int { last.add(1, ordering: .relaxed).newValue }
}
