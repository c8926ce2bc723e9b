// SPDX-License-Identifier: MIT

import Corinth
import Foundation
import TestSupport
import XCTest

/// Instances of a registration that are built between its modifiers.
///
/// Each modifier publishes the registration once more. What was built from an earlier form knew no
/// later disposer, and nobody ended it.
final class HalfMadeDefectTests: StressTestCase {
  private final class Pool: Part, @unchecked Sendable {
    let disposals = AtomicCounter()
    let actions = AtomicCounter()
  }

  private let tracker = LifetimeTracker()
  private let reports = EventLog()
  private var former: (@Sendable (UndisposedReport) -> Void)?

  override func setUp() {
    super.setUp()
    former = Container.onUndisposed
    Container.onUndisposed = { [reports] report in
      for _ in report.instances { reports.add("\(report.cause)") }
    }
  }

  override func tearDown() {
    Container.onUndisposed = former
    assertNoneLeft(tracker)
    super.tearDown()
  }

  @discardableResult
  private func register(
    _ scope: Scope<Pool> = .singleton, in container: Container
  ) throws -> Registration<Pool> {
    try container.register(Pool.self, scope: scope) { [tracker] _ in Pool(tracker) }
  }

  func testADisposerLeavesTheInstanceAndGetsIt() throws {
    let container = Container()
    let registration = try register(in: container)
    let pool = try container.resolve(Pool.self)
    registration.onDispose { $0.disposals.add() }.onDispose { $0.disposals.add() }
    XCTAssertTrue(try container.resolve(Pool.self) === pool)
    try container.syncClose()
    XCTAssertEqual(pool.disposals.value, 2)
    XCTAssertEqual(reports.entries, [])
  }

  func testTheInstancesOfAllFormsAreDisposedOfWithTheContainerTheLastOneFirst() throws {
    let (container, order) = (Container(), EventLog())
    let registration = try register(in: container)
    var pools = [try container.resolve(Pool.self)]
    registration.afterInit { _, pool in pool.actions.add() }
    pools.append(try container.resolve(Pool.self))
    registration.eager()
    pools.append(try container.resolve(Pool.self))
    registration.onDispose { order.add("\($0.serial)") }
    registration.afterInit { _, pool in pool.actions.add() }
    pools.append(try container.resolve(Pool.self))
    try container.syncClose()
    XCTAssertEqual(order.entries.count, 4, "once each")
    XCTAssertEqual(Set(order.entries).count, 4)
    XCTAssertEqual(pools.map(\.actions.value), [0, 1, 1, 2])
    XCTAssertEqual(reports.entries, [])
  }

  func testTheInstancesOfAllValuesOfTheArgumentsAreDisposedOf() throws {
    let (container, disposed) = (Container(), AtomicCounter())
    let registration = try container.register(Pool.self, scope: .singleton) {
      [tracker] (_, _: Int) in Pool(tracker)
    }
    for value in [1, 2] { _ = try container.resolve(Pool.self, arguments: value) }
    registration.afterInit { _, pool in pool.actions.add() }.onDispose { _ in disposed.add() }
    XCTAssertEqual(try container.resolve(Pool.self, arguments: 1).actions.value, 1)
    try container.syncClose()
    XCTAssertEqual(disposed.value, 3)
  }

  func testAnInstanceThatIsBeingBuiltMeanwhileIsDisposedOf() throws {
    assertEnds { [tracker] in
      let container = Container()
      let (isInside, mayEnd, built) = (Gate(), Gate(), AtomicCounter())
      let registration = try container.register(Pool.self, scope: .singleton) { _ in
        if built.add() == 1 {
          isInside.open()
          mayEnd.wait()
        }
        return Pool(tracker)
      }
      let thread = JoinableThread { try container.resolve(Pool.self) }
      isInside.wait()
      registration.afterInit { _, pool in pool.actions.add() }.onDispose { $0.disposals.add() }
      let whole = try container.resolve(Pool.self)
      mayEnd.open()
      let half = try thread.join().get()
      try container.syncClose()
      XCTAssertFalse(whole === half)
      XCTAssertEqual([whole.actions.value, half.actions.value], [1, 0])
      XCTAssertEqual([whole.disposals.value, half.disposals.value], [1, 1])
    }
    XCTAssertEqual(reports.entries, [])
  }

  /// The registration is released, overridden or removed while its instance is being built, and
  /// gets its disposer then. That is for all that a released one has built or is building, and
  /// changes nothing in one that is not there any more.
  func testADisposerThatComesAfterTheInstanceIsDroppedCountsIfTheRegistrationIsThere() throws {
    for (reported, letGo): ([String], (Container) -> Void) in [
      (["\(UndisposedReport.Cause.released)"], { XCTAssertTrue($0.release(Pool.self)) }),
      ([], { [self] in _ = try? register(in: $0) }),
      ([], { XCTAssertTrue($0.unregister(Pool.self)) }),
    ] {
      let (container, isInside, mayEnd) = (Container(), Gate(), Gate())
      let before = reports.entries.count
      let registration = try container.register(Pool.self, scope: .singleton) { [tracker] _ in
        isInside.open()
        mayEnd.wait()
        return Pool(tracker)
      }
      let thread = JoinableThread { try container.resolve(Pool.self) }
      isInside.wait()
      letGo(container)
      registration.onDispose { $0.disposals.add() }
      mayEnd.open()
      let pool = try thread.join().get()
      try container.syncClose()
      XCTAssertEqual(pool.disposals.value, 0)
      XCTAssertEqual(Array(reports.entries.dropFirst(before)), reported)
    }
  }

  func testInstancesOfEarlierFormsAreLetGoOfWithTheLastOne() throws {
    for (cause, letGo): (UndisposedReport.Cause, (Container) -> Void) in [
      (.released, { XCTAssertTrue($0.release(Pool.self)) }), (.released, { $0.releaseAll() }),
      (.removed, { XCTAssertTrue($0.unregister(Pool.self)) }),
      (.overridden, { [self] in _ = try? register(in: $0) }),
    ] {
      let container = Container()
      let registration = try register(in: container)
      let pool = try container.resolve(Pool.self)
      registration.onDispose { $0.disposals.add() }.afterInit { _, _ in }
      let before = reports.entries.count
      letGo(container)
      XCTAssertEqual(reports.entries.dropFirst(before), ["\(cause)"])
      try container.syncClose()
      XCTAssertEqual(pool.disposals.value, 0)
    }
  }

  func testADisposalOfTheKeyEndsTheInstancesOfAllForms() async throws {
    let container = Container()
    let registration = try register(in: container)
    let half = try container.resolve(Pool.self)
    registration.afterInit { _, _ in }.onDispose { (pool: Pool) async in
      await Task.yield()
      pool.disposals.add()
    }
    let whole = try container.resolve(Pool.self)
    let isDone = try await container.release(Pool.self, disposing: true)
    XCTAssertTrue(isDone)
    XCTAssertEqual([half.disposals.value, whole.disposals.value], [1, 1])
    try await container.close()
    XCTAssertEqual([half.disposals.value, whole.disposals.value], [1, 1])
  }

  func testAScopeOpenedBetweenTheModifiersDisposesOfItsInstance() throws {
    let container = Container()
    let registration = try register(.scoped, in: container)
    let scope = container.makeScope()
    let pool = try scope.resolve(Pool.self)
    registration.onDispose { $0.disposals.add() }
    try scope.syncClose()
    XCTAssertEqual(pool.disposals.value, 1)
    try container.syncClose()
  }

  func testAScopeHasToBeClosedWithAwaitForAnAsynchronousDisposerThatCameLater() async throws {
    let container = Container()
    let registration = try register(.scoped, in: container)
    let scope = container.makeScope()
    let pool = try scope.resolve(Pool.self)
    registration.onDispose { (pool: Pool) async in
      await Task.yield()
      pool.disposals.add()
    }
    XCTAssertThrowsError(try scope.syncClose())
    try await scope.close()
    XCTAssertEqual(pool.disposals.value, 1)
    try await container.close()
  }

  func testAForkMadeBetweenTheModifiersDisposesOfItsInstance() throws {
    let container = Container()
    let registration = try register(in: container)
    let fork = container.fork()
    let pool = try fork.resolve(Pool.self)
    registration.onDispose { $0.disposals.add() }
    try fork.syncClose()
    XCTAssertEqual(pool.disposals.value, 1)
    try container.syncClose()
  }

  func testTheDisposerOfADecoratedInstanceGetsTheInstanceItself() throws {
    let container = Container()
    let registration = try register(in: container)
    try container.decorate(Pool.self) { [tracker] _, _ in Pool(tracker) }
    let decorated = try container.resolve(Pool.self)
    let disposed = Guarded<Pool>()
    registration.onDispose { disposed.value = $0 }
    try container.syncClose()
    XCTAssertNotNil(disposed.value)
    XCTAssertFalse(disposed.value === decorated)
    disposed.value = nil
  }

  /// Threads resolve beside a registration with its modifiers that overrides another: each instance
  /// is disposed of once.
  func testEachInstanceIsDisposedOfOnceBesideTheModifiers() throws {
    let (readers, rounds) = (2, StressSize.scaled(3000, sanitized: 300))
    let start = Barrier(readers + 1)
    let current = Guarded<Container>()
    let (built, disposed, acted) = (AtomicCounter(), AtomicCounter(), AtomicCounter())
    try onThreads(readers + 1) { [tracker] index in
      for round in 0..<rounds {
        if index == 0 {
          let container = Container()
          try container.register(Pool.self, scope: .singleton) { _ in Pool(tracker) }
          current.value = container
        }
        start.wait()
        let container = current.value
        if index > 0 {
          for _ in 0..<20 { _ = try container?.resolve(Pool.self) }
        } else {
          let registration = try container?.register(Pool.self, scope: .singleton) { _ in
            built.add()
            return Pool(tracker)
          }
          if round.isMultiple(of: 2) { registration?.afterInit { _, _ in acted.add() } }
          registration?.onDispose { _ in disposed.add() }.eager()
        }
        start.wait()
        if index == 0 {
          try container?.syncClose()
          XCTAssertEqual(disposed.value, built.value)
        }
      }
    }
    current.value = nil
    XCTAssertEqual(disposed.value, built.value)
  }
}
