// SPDX-License-Identifier: MIT

import TestSupport

/// What the services of a graph build.
///
/// Its variables are plain ones: one who gets an instance before its actions have finished sees it in them, and
/// ThreadSanitizer sees it too.
final class Product: @unchecked Sendable {
  // SAFETY: variables are written by the actions, before anybody outside of the resolution has the instance.

  /// An instance that an action has set. Weak where a strong one could close a circle.
  struct Late {
    private var strong: Product?
    private weak var weakly: Product?
    let serial: Int

    init(_ product: Product, isWeak: Bool) {
      serial = product.serial
      if isWeak { weakly = product } else { strong = product }
    }

    var product: Product? { strong ?? weakly }
  }

  let service: Int
  /// The index of the container that its factory resolved in.
  let container: Int
  let serial: Int
  let early: [Product?]
  private let alive: AtomicCounter

  /// For each action what it has set, in the order of its needs.
  var late: [[Late?]]
  var completedActions = 0
  /// When the factory was about to return.
  var returned = 0
  /// Not later than this it was known to have returned.
  var seen = Int.max

  init(
    of service: Int, in container: Int, serial: Int, early: [Product?], actions: Int,
    alive: AtomicCounter
  ) {
    self.service = service
    self.container = container
    self.serial = serial
    self.early = early
    late = Array(repeating: [], count: actions)
    self.alive = alive
    alive.add()
  }

  deinit { alive.add(-1) }

  /// The instances that it refers to.
  var references: [Product] {
    early.compactMap { $0 } + late.joined().compactMap { $0?.product }
  }
}
