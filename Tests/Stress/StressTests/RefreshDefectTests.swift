// SPDX-License-Identifier: MIT

import Corinth
import Foundation
import TestSupport
import XCTest

/// Faults of refreshes of cached instances, each with its story.
final class RefreshDefectTests: StressTestCase {
  private final class Orders: Part, @unchecked Sendable {}
  private final class Rates: Part, @unchecked Sendable {}
  private final class Ledger: Part, @unchecked Sendable {}

  private let tracker = LifetimeTracker()

  /// Expired as soon as it is stored.
  private static let expired = AnyScope.cached(for: .nanoseconds(1), whileRefreshing: .serveStale)

  /// The factory of `Orders` needs `Rates`, whose action needs `Orders`. The first resolve closes
  /// the cycle with an early reference. A later one finds `Rates` expired, in the factory of
  /// `Orders`, and builds another one, whose action needs the `Orders` around it. Nobody gets a
  /// refreshed instance early: that was a cycle error, and `Orders` could not be resolved although
  /// `Rates` was there.
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

  /// The ledger, which one thread builds, finds the rates expired. Their refresh waits for the
  /// orders, which another thread builds, and which need the ledger. That wait closed the cycle,
  /// and the orders failed, which had no other instance to do with. Random graphs found it in one
  /// of 45,500.
  func testARefreshThatIsWaitedForByWhatItWaitsForIsAbandoned() throws {
    let tracker = tracker
    let (isBuilding, isRefreshing) = (Gate(), Gate())
    let container = Container()
    let isFirst = AtomicCounter()
    try container.register(Rates.self, scope: Self.expired) { _ in Rates(tracker) }
      .afterInit { resolver, rates in
        if isFirst.add() == 1 { return }
        isRefreshing.open()
        rates.note(try resolver.resolve(Orders.self))
      }
    try container.register(Ledger.self, scope: .singleton) { resolver in
      Ledger(tracker).noting(try resolver.resolve(Rates.self))
    }
    try container.register(Orders.self, scope: .singleton) { resolver in
      isBuilding.open()
      isRefreshing.wait()
      // The refresh waits by now, most of the time.
      Thread.sleep(forTimeInterval: 0.1)
      return Orders(tracker).noting(try resolver.resolve(Ledger.self))
    }
    let rates = try container.resolve(Rates.self).serial
    let builder = JoinableThread { try container.resolve(Orders.self).found }
    isBuilding.wait()
    let ledger = try container.resolve(Ledger.self)
    XCTAssertEqual(ledger.found, [rates], "the old instance serves")
    XCTAssertEqual(try builder.join().get(), [ledger.serial])
  }
}
