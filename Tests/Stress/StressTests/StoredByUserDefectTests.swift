// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

/// Faults of the time in which a user's ``Instance`` stores a product whose construction is over,
/// each with its story.
final class StoredByUserDefectTests: StressTestCase {
  private final class Customers: Part, @unchecked Sendable {}
  private final class Reports: Part, @unchecked Sendable {}
  private final class Orders: Part, @unchecked Sendable {}

  /// Keeps one product, and runs something before that.
  private final class Keeper<Product: Sendable>: CustomStorage {
    private let kept = Shared<Product?>(nil)
    private let willSet: @Sendable (StorageContext) -> Void

    init(_ product: Product.Type, willSet: @escaping @Sendable (StorageContext) -> Void) {
      self.willSet = willSet
    }

    func get(for context: StorageContext) -> Product? { kept.value }

    func set(_ product: Product, for context: StorageContext) {
      willSet(context)
      kept.value = product
    }

    func release() { kept.value = nil }
  }

  private let tracker = LifetimeTracker()

  /// `Reports` is held until `Customers` is complete, and then stored, which takes its time.
  /// Meanwhile the wait-for graph did not know of it: a task that had been handed its resolver
  /// waited for as long, and nobody could have broken a cycle through that wait.
  func testATaskOfTheConstructionGetsTheProductWhileItIsStored() {
    let tracker = tracker
    for _ in 0..<StressSize.scaled(20) {
      assertEndsAsync {
        let (container, isStoring, mayStore) = (Container(), AsyncGate(), Gate())
        let part = Shared<Task<Int, any Error>?>(nil)
        try container.registerAsync(Customers.self, scope: .singleton) { _ in Customers(tracker) }
          .afterInit { resolver, customers async throws in
            customers.note(try await resolver.resolveAsync(Reports.self))
          }
        let keeper = Keeper(Reports.self) { _ in
          isStoring.open()
          mayStore.wait()
        }
        try container.registerAsync(Reports.self) { resolver in
          let reports = Reports(tracker).noting(try await resolver.resolveAsync(Customers.self))
          part.value = Task.detached {
            await isStoring.wait()
            return try await resolver.resolveAsync(Reports.self).serial
          }
          return reports
        }.as(keeper)

        let customers = Task { try await container.resolveAsync(Customers.self).found }
        await isStoring.wait()
        let stranger = Task { try await container.resolveAsync(Reports.self).serial }
        let serial = try await part.value?.value
        mayStore.open()
        let found = try await customers.value
        XCTAssertEqual(found, [serial])
        let strangers = try await stranger.value
        XCTAssertEqual(strangers, serial)
      }
    }
    assertNoneLeftInTasks(tracker)
  }

  /// A custom scope of these tests let products go with its lock held, and so did the one in the
  /// guide: a deinit that resolves waited for its own thread.
  func testAProductThatResolvesInItsDeinitIsReleasedByACustomScope() throws {
    final class Last: Sendable {
      let end: @Sendable () -> Void
      init(_ end: @escaping @Sendable () -> Void) { self.end = end }
      deinit { end() }
    }
    assertEnds {
      let (container, built) = (Container(), AtomicCounter())
      try container.register(Last.self) { [unowned container] _ in
        let isFirst = built.add() == 1
        return Last { if isFirst { _ = try? container.resolve(Last.self) } }
      }.as(KeptProduct())
      _ = try container.resolve(Last.self)
      XCTAssertTrue(container.release(Last.self))
      XCTAssertEqual(built.value, 2)
    }
  }

  /// `Customers`, `Reports` and `Orders` need each other, and are complete together. `Orders` is
  /// published after `Reports` has been stored.
  private static func register(
    in container: Container, _ tracker: LifetimeTracker,
    storing willSet: @escaping @Sendable (StorageContext) -> Void
  ) throws {
    try container.register(Customers.self, scope: .singleton) { _ in Customers(tracker) }
      .afterInit { resolver, customers in
        customers.note(try resolver.resolve(Reports.self))
        customers.note(try resolver.resolve(Orders.self))
      }
    try container.register(Reports.self) { _ in Reports(tracker) }
      .as(Keeper(Reports.self, willSet: willSet))
      .afterInit { resolver, reports in reports.note(try resolver.resolve(Customers.self)) }
    try container.register(Orders.self, scope: .singleton) { _ in Orders(tracker) }
      .afterInit { resolver, orders in orders.note(try resolver.resolve(Customers.self)) }
  }

  func testWhatStoresAProductGetsThoseThatAreCompleteWithIt() throws {
    let stored = EventLog()
    let container = Container()
    try Self.register(in: container, tracker) { [weak container] context in
      guard let container else { return }
      for resolved in [
        Result { try container.resolve(Customers.self).serial },
        Result { try container.resolve(Orders.self).serial },
        Result { try context.resolver.resolve(Orders.self).serial },
      ] { stored.add("\(resolved)") }
    }
    let customers = try container.resolve(Customers.self)
    let orders = try container.resolve(Orders.self).serial
    XCTAssertEqual(
      stored.entries, [customers.serial, orders, orders].map { "success(\($0))" })
  }

  /// A thread that was handed the resolver waited for `Orders`, and that for the thread.
  func testAThreadThatStoresAProductGetsThoseThatAreCompleteWithIt() {
    let tracker = tracker
    assertEnds {
      let container = Container()
      let stored = EventLog()
      try Self.register(in: container, tracker) { context in
        let thread = JoinableThread { try context.resolver.resolve(Orders.self).serial }
        stored.add("\(thread.join())")
      }
      _ = try container.resolve(Customers.self)
      XCTAssertEqual(stored.entries, ["success(\(try container.resolve(Orders.self).serial))"])
    }
  }
}
