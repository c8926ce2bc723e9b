// SPDX-License-Identifier: MIT

import TestSupport
import XCTest

@testable import Corinth

/// Threads have references to registrations in stock, so that requests do not write to their
/// counts: note 24. No registration lives longer because of that.
final class ReferenceStockTests: StressTestCase {
  private let (tracker, factories) = (LifetimeTracker(), LifetimeTracker())
  private let container = Container()

  /// Registers `Tracked` with a factory that is counted as long as it lives.
  private func register(_ name: Name? = nil, in container: Container, scope: AnyScope = .scoped)
    throws
  {
    let (tracker, held) = (tracker, factories.make())
    try container.register(Tracked.self, name: name, scope: Scope(scope)) { _ in
      withExtendedLifetime(held) { tracker.make() }
    }
  }

  private static func serve(_ container: Container, _ name: Name? = nil) throws {
    let scope = container.makeScope()
    _ = try scope.resolve(Tracked.self, name: name)
    try scope.syncClose()
  }

  /// Four threads that have served requests, and wait.
  private struct IdleThreads {
    private let mayEnd = Gate()
    private let threads: [JoinableThread<Void>]

    init(of container: Container) {
      let (ready, mayEnd) = (AtomicCounter(), mayEnd)
      threads = (0..<4).map { _ in
        JoinableThread { [weak container] in
          for _ in 0..<3 {
            guard let container else { return }
            try ReferenceStockTests.serve(container)
            _ = try container.resolve(Tracked.self, name: "graph")
          }
          ready.add()
          mayEnd.wait()
        }
      }
      while ready.value < 4 { sched_yield() }
    }

    func end() throws {
      mayEnd.open()
      for thread in threads { try thread.join().get() }
    }
  }

  private func registerBoth(in container: Container) throws {
    try register(in: container)
    try register("graph", in: container, scope: .graph)
  }

  func testAnOverriddenRegistrationIsDestroyedBesideThreadsThatHaveUsedIt() throws {
    try registerBoth(in: container)
    let threads = IdleThreads(of: container)
    for _ in 0..<3 {
      try registerBoth(in: container)
      settleReclamation()
      XCTAssertEqual(factories.alive, 2)
    }
    try threads.end()
    XCTAssertEqual(factories.alive, 2)
  }

  func testAnUnregisteredRegistrationIsDestroyedBesideThreadsThatHaveUsedIt() throws {
    try registerBoth(in: container)
    let threads = IdleThreads(of: container)
    container.unregister(Tracked.self)
    XCTAssertEqual(factories.alive, 1)
    container.unregister(Tracked.self, name: "graph")
    XCTAssertEqual(factories.left, 0)
    try threads.end()
  }

  func testTheRegistrationsOfAContainerEndWithItBesideThreadsThatHaveUsedThem() throws {
    var container: Container? = Container()
    try container.map { try registerBoth(in: $0) }
    let threads = try IdleThreads(of: XCTUnwrap(container))
    container = nil
    XCTAssertEqual(factories.left, 0)
    try threads.end()
  }

  private func registerAsync(_ wait: @escaping @Sendable () async -> Void = { await Task.yield() })
    throws
  {
    let (tracker, held) = (tracker, factories.make())
    try container.registerAsync(Tracked.self) { _ in
      await wait()
      return withExtendedLifetime(held) { tracker.make() }
    }
  }

  /// It may end on another thread than it has begun on.
  private func resolveInTasks() async throws {
    try await withThrowingTaskGroup(of: Void.self) { [container] group in
      for _ in 0..<200 { group.addTask { _ = try await container.resolveAsync(Tracked.self) } }
      try await group.waitForAll()
    }
  }

  func testAnOverriddenAsynchronousFactoryIsDestroyedBesideThreadsThatHaveUsedIt() async throws {
    try registerAsync()
    for _ in 0..<20 {
      try await resolveInTasks()
      try registerAsync()
      settleReclamation()
      XCTAssertEqual(factories.alive, 1)
    }
    try await resolveInTasks()
    container.unregister(Tracked.self)
    XCTAssertEqual(factories.left, 0)
    XCTAssertEqual(tracker.left, 0)
  }

  func testAnAsynchronousFactoryIsAliveAsLongAsItRuns() async throws {
    let (begun, mayEnd) = (AsyncGate(), AsyncGate())
    try registerAsync {
      begun.open()
      await mayEnd.wait()
    }
    let task = Task { [container] in try await container.resolveAsync(Tracked.self).serial }
    await begun.wait()
    try registerAsync()
    settleReclamation()
    XCTAssertEqual(factories.alive, 2)
    mayEnd.open()
    let serial = try await task.value
    XCTAssertEqual(serial, 1)
    settleReclamation()
    XCTAssertEqual(factories.alive, 1)
  }

  func testAThreadThatExitsGivesUpWhatItHasInStock() throws {
    try registerBoth(in: container)
    for _ in 0..<50 {
      try JoinableThread { [container] in try Self.serve(container) }.join().get()
    }
    container.removeAll()
    XCTAssertEqual(factories.left, 0)
  }

  /// Far more registrations than a thread has entries for.
  func testRegistrationsThatShareAnEntryDoNotLeak() throws {
    let count = 2_048
    for number in 0..<count { try register(Name(number), in: container) }
    for round in 0..<3 {
      for number in 0..<count where (number + round).isMultiple(of: 2) {
        try Self.serve(container, Name(number))
      }
    }
    XCTAssertEqual(factories.alive, count)
    container.removeAll()
    XCTAssertEqual(factories.left, 0)
    XCTAssertEqual(tracker.left, 0)
  }

  /// More than an entry can count: scopes that are open hold the references, and come back
  /// together.
  func testManyScopesAreOpenAtOnce() throws {
    try register(in: container)
    let scopes = try (0..<40_000).map { _ in
      let scope = container.makeScope()
      _ = try scope.resolve(Tracked.self)
      return scope
    }
    for scope in scopes { try scope.syncClose() }
    XCTAssertEqual(factories.alive, 1)
    container.unregister(Tracked.self)
    XCTAssertEqual(factories.left, 0)
    XCTAssertEqual(tracker.left, 0)
  }

  func testRegistrationsAreOverriddenBesideRequestsThatOtherThreadsClose() throws {
    try registerBoth(in: container)
    let (container, mayEnd) = (container, AtomicCounter())
    let handed = Locked<[Container]>([])
    let threads = (0..<3).map { number in
      JoinableThread {
        while mayEnd.value == 0 {
          let scope = container.makeScope()
          _ = try scope.resolve(Tracked.self)
          _ = try scope.resolve(Tracked.self, name: "graph")
          // The next thread closes it, at some time.
          let others = handed.withLock { scopes in
            scopes.append(scope)
            return scopes.count > 3 ? scopes.removeFirst() : nil
          }
          try others?.syncClose()
        }
      }
    }
    for _ in 0..<2_000 { try registerBoth(in: container) }
    mayEnd.add()
    for thread in threads { try thread.join().get() }
    for scope in handed.withLock({ $0 }) { try scope.syncClose() }
    handed.withLock { $0 = [] }
    settleReclamation()
    XCTAssertEqual(factories.alive, 2)
    XCTAssertEqual(tracker.alive, 0)
  }
}
