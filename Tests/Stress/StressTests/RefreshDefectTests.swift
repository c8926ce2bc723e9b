// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

/// Faults of refreshes of cached instances, each with its story.
final class RefreshDefectTests: StressTestCase {
  private final class Orders: Part, @unchecked Sendable {}
  private final class Rates: Part, @unchecked Sendable {}

  private let tracker = LifetimeTracker()

  /// Expired as soon as it is stored.
  private static let expired = AnyScope.cached(for: .nanoseconds(1), whileRefreshing: .serveStale)

  /// The factory of `Orders` needs `Rates`, whose action needs `Orders`. The first resolve closes the cycle with an early
  /// reference. A later one finds `Rates` expired, in the factory of `Orders`, and builds another one, whose action
  /// needs the `Orders` around it. Nobody gets a refreshed instance early: that was a cycle error, and `Orders` could
  /// not be resolved although `Rates` was there.
  func testARefreshThatNeedsWhatItIsInsideOfIsLeftToALaterResolve() {
    let tracker = tracker
    assertEnds {
      let container = Container()
      try container.register(Orders.self, scope: .graph) { resolver in
        Orders(tracker).noting(try resolver.resolve(Rates.self))
      }
      try container.register(Rates.self, scope: Self.expired) { _ in Rates(tracker) }
        .afterInit { resolver, rates in rates.note(try resolver.resolve(Orders.self)) }
      for _ in 0..<3 {
        let rates = try container.resolve(Rates.self)
        XCTAssertEqual(try container.resolve(Orders.self).found, [rates.serial])
        // Inside of nothing: this one builds it anew.
        XCTAssertGreaterThan(try container.resolve(Rates.self).serial, rates.serial)
      }
    }
    assertNoneLeft(tracker)
  }

  /// The same in tasks.
  func testARefreshInATaskIsLeftToALaterResolveToo() {
    let tracker = tracker
    assertEndsAsync {
      let container = Container()
      try container.registerAsync(Orders.self, scope: .graph) { resolver in
        Orders(tracker).noting(try await resolver.resolveAsync(Rates.self))
      }
      try container.registerAsync(Rates.self, scope: Self.expired) { _ in Rates(tracker) }
        .afterInit { resolver, rates async throws in
          rates.note(try await resolver.resolveAsync(Orders.self))
        }
      for _ in 0..<3 {
        let rates = try await container.resolveAsync(Rates.self)
        let orders = try await container.resolveAsync(Orders.self)
        XCTAssertEqual(orders.found, [rates.serial])
        let next = try await container.resolveAsync(Rates.self)
        XCTAssertGreaterThan(next.serial, rates.serial)
      }
    }
    assertNoneLeftInTasks(tracker)
  }
}
