// SPDX-License-Identifier: MIT

import TestSupport

/// An instance that knows which registration built it.
final class Instance: Tracked, @unchecked Sendable {
  let generation: Int

  init(_ tracker: LifetimeTracker, generation: Int) {
    self.generation = generation
    super.init(tracker)
  }
}
