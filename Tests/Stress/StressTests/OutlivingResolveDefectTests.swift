// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

/// Faults of resolves that outlive the work of the construction whose resolver they ask, each with
/// its story.
final class OutlivingResolveDefectTests: StressTestCase {
  private final class Orders: Part, @unchecked Sendable {}
  private final class Customers: Part, @unchecked Sendable {}
  private final class Reports: Part, @unchecked Sendable {}

  private let tracker = LifetimeTracker()

  /// `Reports` is held: its own work is done, but it has got `Orders` early, whose action still
  /// runs. `Customers`' action waits for `Reports`. A task that the factory of `Reports` has
  /// started asks its resolver for `Customers`.
  ///
  /// That seemed to be a cycle, and the task got `Customers` early. `Reports` then waited for
  /// `Customers` too, which waited for `Reports`: nobody had looked for cycles at that moment, and
  /// neither ever came to its end.
  func testWhatAHeldConstructionHasStartedIsNoPartOfItAnyMore() {
    let tracker = tracker
    assertEndsAsync {
      let (container, lobby) = (Container(), Lobby())
      let (isHeld, goOn) = (AsyncGate(), Gate())
      let handed = Shared<Resolver?>(nil)
      try container.register(Orders.self, scope: .singleton) { _ in Orders(tracker) }
        .afterInit { resolver, orders in
          orders.note(try resolver.resolve(Reports.self))
          isHeld.open()
          goOn.wait()
        }
      try container.register(Reports.self, scope: .singleton) { resolver in
        handed.value = resolver
        return Reports(tracker).noting(try resolver.resolve(Orders.self))
      }
      try container.registerAsync(Customers.self, scope: .singleton) { _ in Customers(tracker) }
        .afterInit { resolver, customers async throws in
          customers.note(
            try await lobby.enter { try await resolver.resolveAsync(Reports.self) })
        }

      let ordering = JoinableThread { try container.resolve(Orders.self).found }
      await isHeld.wait()
      async let waiting = container.resolveAsync(Customers.self).found
      await lobby.waitForSuspension(of: 1)
      async let outliving = lobby.enter {
        let resolver = try XCTUnwrap(handed.value)
        return try await resolver.resolveAsync(Customers.self).found
      }
      await lobby.waitForSuspension(of: 2)
      goOn.open()

      let reports = try await container.resolveAsync(Reports.self)
      let ordered = try ordering.join().get()
      let (found, late) = try await (waiting, outliving)
      XCTAssertEqual(ordered, [reports.serial])
      XCTAssertEqual(found, [reports.serial])
      XCTAssertEqual(late, [reports.serial], "it has got Customers before its action had ended")
      handed.value = nil
    }
    assertNoneLeftInTasks(tracker)
  }
}
