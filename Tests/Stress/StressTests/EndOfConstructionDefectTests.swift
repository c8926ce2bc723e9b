// SPDX-License-Identifier: MIT

import Corinth
import Foundation
import TestSupport
import XCTest

/// Faults that the end of a construction once had, each with its story.
final class EndOfConstructionDefectTests: StressTestCase {
  private final class Server: Part, @unchecked Sendable {}

  private let tracker = LifetimeTracker()

  // MARK: - Deinits before the waiters go on

  /// An instance with a thread of its own, which its deinit waits for.
  private final class Worker: Tracked, @unchecked Sendable {
    private let thread: JoinableThread<Void>

    init(_ tracker: LifetimeTracker, _ body: @escaping @Sendable () throws -> Void) {
      thread = JoinableThread(body)
      super.init(tracker)
    }

    deinit { _ = thread.join() }
  }

  /// `Worker` is a graph instance that `Server`'s factory uses and does not keep. Its thread waits
  /// for `Server`, and its deinit for the thread. The end of the construction released the graph
  /// instances before it woke the waiters, so the deinit never came to its end.
  func testADeinitOfAGraphInstanceMayWaitForAWaiterOfTheConstruction() throws {
    let tracker = tracker
    for isRefused in [false, true] {
      assertEnds {
        let (container, isUp, served) = (Container(), Gate(), AtomicCounter())
        let runs = AtomicCounter()
        try container.register(Worker.self, scope: .graph) { resolver in
          let container = try resolver.container
          return Worker(tracker) {
            isUp.open()
            _ = try container.resolve(Server.self)
            served.add()
          }
        }
        try container.register(Server.self, scope: .singleton) { resolver in
          if runs.add() > 1 { return Server(tracker) }
          _ = try resolver.resolve(Worker.self)
          isUp.wait()
          // Long enough for the worker to wait; if it comes later, it finds nothing to wait for.
          Thread.sleep(forTimeInterval: 0.05)
          if isRefused { throw Refused() }
          return Server(tracker)
        }
        let result = Result { _ = try container.resolve(Server.self) }
        XCTAssertEqual((try? result.get()) == nil, isRefused)
        XCTAssertEqual(served.value, 1, "the deinit has waited for the worker")
      }
    }
    assertNoneLeft(tracker)
  }

  /// The same in tasks.
  func testADeinitOfAGraphInstanceMayWaitForAWaitingTask() throws {
    let tracker = tracker
    assertEndsAsync {
      let (container, isServed, isGone) = (Container(), Gate(), AsyncGate())
      try container.register(Farewell.self, scope: .graph) { _ in
        Farewell(tracker) {
          isServed.wait()
          isGone.open()
        }
      }
      try container.registerAsync(Server.self, scope: .singleton) { resolver in
        let container = try resolver.container
        _ = try resolver.resolve(Farewell.self)
        Task {
          _ = try await container.resolveAsync(Server.self)
          isServed.open()
        }
        try await Task.sleep(for: .milliseconds(50))
        return Server(tracker)
      }
      _ = try await container.resolveAsync(Server.self)
      await isGone.wait()
    }
    assertNoneLeftInTasks(tracker)
  }

  // MARK: - The instance outlives its waiter

  /// Resolves, and keeps nothing.
  ///
  /// - Returns: whether the instance is gone.
  nonisolated(nonsending)
    private static func isGoneAfterResolving(_ container: Container) async throws -> Bool
  {
    weak var seen: Server?
    do {
      let server = try await container.resolveAsync(Server.self)
      XCTAssertGreaterThan(server.serial, 0)
      seen = server
    }
    return seen == nil
  }

  /// The task that had built an instance still held it when the waiters went on, in a variable of
  /// its own or in what it had to hand them: a scope that was closed, or a weak instance that its
  /// last user gave up, still had it for a moment. Waiters that run inside of the call that resumes
  /// them make that moment last.
  func testAWaiterThatGivesUpTheInstanceIsItsLastOwner() throws {
    let tracker = tracker
    for waiters in 1...3 {
      assertEndsAsync {
        let (container, gate) = (Container(), AsyncGate())
        try container.registerAsync(Server.self, scope: .weak) { _ in
          await gate.wait()
          return Server(tracker)
        }
        let tasks = (0..<waiters).map { _ in
          Task(executorPreference: InlineExecutor()) {
            try await Self.isGoneAfterResolving(container)
          }
        }
        gate.open()
        var gone: [Bool] = []
        for task in tasks { gone.append(try await task.value) }
        // The last one to go on; others may find the instance in the hands of those behind them.
        XCTAssertTrue(gone.contains(true), "\(waiters)")
      }
    }
    assertNoneLeftInTasks(tracker)
  }

  /// The same on the executor that all tasks share, where it is a race.
  func testNoInstanceIsLeftWhenItsOnlyWaiterHasGivenItUp() throws {
    let tracker = tracker
    let rounds = StressSize.scaled(4_000, sanitized: 400)
    assertEndsAsync {
      let container = Container()
      try container.registerAsync(Server.self, scope: .weak) { _ in
        await Task.yield()
        return Server(tracker)
      }
      var left = 0
      for _ in 0..<rounds {
        if try await !Self.isGoneAfterResolving(container) { left += 1 }
      }
      XCTAssertEqual(left, 0, "of \(rounds)")
      XCTAssertEqual(tracker.created, rounds)
    }
    assertNoneLeftInTasks(tracker)
  }

  // MARK: - Instances that are complete together

  private final class Customers: Part, @unchecked Sendable {}
  private final class Reports: Part, @unchecked Sendable {}
  private final class Orders: Part, @unchecked Sendable {}
  private final class Invoices: Part, @unchecked Sendable {}

  /// Keeps one product, and runs something before that.
  private final class Keeper<Product: Sendable>: CustomStorage {
    private let kept = Shared<Product?>(nil)
    private let willSet: @Sendable () -> Void

    init(_ product: Product.Type, willSet: @escaping @Sendable () -> Void) {
      self.willSet = willSet
    }

    func get(for context: StorageContext) -> Product? { kept.value }

    func set(_ product: Product, for context: StorageContext) {
      willSet()
      kept.value = product
    }

    func release() { kept.value = nil }
  }

  /// `Customers`, `Reports` and `Orders` need each other, and are published in this order. As soon
  /// as `Customers` is, another thread builds `Invoices` from it, which leads to `Orders`. `Orders`
  /// was numbered later, when it was published, and was therefore disposed of before `Invoices`,
  /// which uses it.
  func testWhatIsBuiltFromThePublishedPartOfAGroupIsCompleteAfterAllOfIt() {
    let tracker = tracker
    assertEnds {
      let (container, disposed) = (Container(), EventLog())
      try container.register(Customers.self, scope: .singleton) { _ in Customers(tracker) }
        .afterInit { resolver, customers in
          customers.note(try resolver.resolve(Reports.self))
          customers.note(try resolver.resolve(Orders.self))
        }
      let keeper = Keeper(Reports.self) { [weak container] in
        let invoices = JoinableThread { [container] in
          try XCTUnwrap(container).resolve(Invoices.self).serial
        }
        if case .failure(let error) = invoices.join() { XCTFail("\(error)") }
      }
      try container.register(Reports.self) { _ in Reports(tracker) }.as(keeper)
        .afterInit { resolver, reports in reports.note(try resolver.resolve(Customers.self)) }
      try container.register(Orders.self, scope: .singleton) { _ in Orders(tracker) }
        .afterInit { resolver, orders in orders.note(try resolver.resolve(Customers.self)) }
        .onDispose { (_: Orders) in disposed.add("orders") }
      try container.register(Invoices.self, scope: .singleton) { resolver in
        Invoices(tracker).noting(try resolver.resolve(Customers.self))
      }.onDispose { (_: Invoices) in disposed.add("invoices") }

      _ = try container.resolve(Customers.self)
      try container.syncClose()
      XCTAssertEqual(disposed.entries, ["invoices", "orders"])
    }
    assertNoneLeft(tracker)
  }
}
