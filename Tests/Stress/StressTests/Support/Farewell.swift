// SPDX-License-Identifier: MIT

import TestSupport

/// An instance that runs something when it goes away.
final class Farewell: Tracked, @unchecked Sendable {
  private let body: @Sendable () -> Void

  init(_ tracker: LifetimeTracker, _ body: @escaping @Sendable () -> Void) {
    self.body = body
    super.init(tracker)
  }

  deinit { body() }
}
