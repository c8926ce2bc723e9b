// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import XCTest

@testable import Corinth

/// Services that are told to stop while requests come in.
final class DrainingStressTests: StressTestCase {
  private let tracker = LifetimeTracker()

  /// What a service counts.
  private final class Tally: Sendable {
    let accepted = AtomicCounter()
    let ended = AtomicCounter()
    let refused = AtomicCounter()
    /// Requests that had not ended when a disposer of the container ran.
    let overtaken = AtomicCounter()
    let disposed = AtomicCounter()

    func dispose() {
      overtaken.add(accepted.value - ended.value)
      disposed.add()
    }
  }

  private final class Pool: Tracked, @unchecked Sendable {}
  private final class Session: Tracked, @unchecked Sendable {}

  /// Singletons of which each request may build one, and a scoped instance with a disposer.
  private func makeService(_ tally: Tally) throws -> Container {
    let container = Container()
    for key in 0..<8 {
      try container.register(Pool.self, name: Name(key), scope: .singleton) { [tracker] _ in
        usleep(100)
        return Pool(tracker)
      }.onDispose { _ in tally.dispose() }
    }
    try container.registerAsync(Pool.self) { [tracker] _ in
      await Task.yield()
      return Pool(tracker)
    }.as(.singleton).onDispose { _ in tally.dispose() }
    try container.register(Session.self, scope: .scoped) { [tracker] resolver in
      _ = try resolver.resolve(Pool.self, name: Name(0))
      return Session(tracker)
    }.onDispose { _ in usleep(20) }
    return container
  }

  /// What a request does, in a scope that has been let in.
  private static func work(in scope: Container, _ turn: Int, _ tally: Tally) throws {
    _ = try scope.resolve(Pool.self, name: Name(turn % 8))
    let session = try scope.resolve(Session.self)
    try scope.syncWithScope { inner in
      if try inner.resolve(Session.self) === session { XCTFail("a scope has its own") }
    }
    _ = try Container(parent: scope).makeScope().resolve(Pool.self, name: Name((turn + 1) % 8))
  }

  func testEveryRequestThatIsAcceptedEndsBeforeTheDisposersRun() async throws {
    for round in 0..<StressSize.scaled(60, sanitized: 15) {
      let tally = Tally()
      let container = try makeService(tally)
      let underWay = AsyncGate()
      let threads = (0..<4).map { thread in
        JoinableThread {
          for turn in thread... {
            do {
              try container.syncWithScope { scope in
                tally.accepted.add()
                if turn > thread { underWay.open() }
                do { try Self.work(in: scope, turn, tally) } catch {
                  XCTFail("refused half-way: \(error)")
                }
                tally.ended.add()
              }
            } catch ResolutionError.scopeRefused {
              tally.refused.add()
              return
            }
          }
        }
      }
      let tasks = (0..<4).map { task in
        Task {
          for turn in task... {
            do {
              try await container.withScope { scope in
                tally.accepted.add()
                do {
                  _ = try await scope.resolveAsync(Pool.self)
                  try Self.work(in: scope, turn, tally)
                  await Task.yield()
                  _ = try scope.resolve(Pool.self)
                } catch {
                  XCTFail("refused half-way: \(error)")
                }
                tally.ended.add()
              }
            } catch ResolutionError.scopeRefused {
              tally.refused.add()
              return
            }
          }
        }
      }
      await underWay.wait()
      usleep(UInt32(round * 97 % 2000))
      try await container.shutdown(draining: .seconds(3600))
      XCTAssertEqual(tally.overtaken.value, 0, "requests that a disposer has overtaken")
      for thread in threads { try thread.join().get() }
      for task in tasks { try await task.value }
      XCTAssertEqual(tally.refused.value, 8)
      XCTAssertEqual(tally.accepted.value, tally.ended.value)
      XCTAssertGreaterThan(tally.disposed.value, 0)
      XCTAssertEqual(container.registry.openScopeCount, 0)
    }
    await tracker.waitUntilNoneIsLeft()
    assertNoneLeft(tracker)
  }

  func testTheDeadlineHoldsWhenARequestHangs() async throws {
    for _ in 0..<StressSize.scaled(20, sanitized: 5) {
      let tally = Tally()
      let container = try makeService(tally)
      let (isHanging, mayGoOn) = (AsyncGate(), AsyncGate())
      let hanging = Task {
        try await container.withScope { scope in
          _ = try scope.resolve(Pool.self, name: Name(1))
          isHanging.open()
          await mayGoOn.wait()
          _ = try scope.resolve(Pool.self, name: Name(2))
        }
      }
      await isHanging.wait()
      do {
        try await container.shutdown(draining: .milliseconds(5))
        XCTFail("no error")
      } catch CloseError.drainingTimedOut(openScopes: 1, failures: let failures) {
        XCTAssertEqual(failures.count, 0)
      }
      XCTAssertEqual(tally.disposed.value, 1)
      mayGoOn.open()
      do {
        try await hanging.value
        XCTFail("no error")
      } catch ResolutionError.containerClosed {}
      XCTAssertEqual(container.registry.openScopeCount, 0)
    }
    await tracker.waitUntilNoneIsLeft()
    assertNoneLeft(tracker)
  }

  /// The last scopes close, on other threads than they were opened on, or are dropped, at the
  /// moment in which the shutdown begins to wait.
  func testTheLastScopeToCloseWakesTheShutdown() async throws {
    for round in 0..<StressSize.scaled(1500, sanitized: 200) {
      let (container, start) = (Container(), AsyncGate())
      let threads = (0..<3).map { thread in
        let scope = Shared<Container?>(container.makeScope())
        return JoinableThread {
          start.open()
          for _ in 0..<(round * 13 + thread * 5) % 40 { sched_yield() }
          let taken = scope.withValue { scope in
            defer { scope = nil }
            return scope
          }
          if thread > 0 { try taken?.syncClose() }
        }
      }
      await start.wait()
      try await container.shutdown(draining: .seconds(3600))
      XCTAssertEqual(container.registry.openScopeCount, 0)
      for thread in threads { try thread.join().get() }
    }
  }

  /// A scope is refused, or waited for.
  func testNoScopeIsLetInAndNotWaitedFor() async throws {
    let overtaken = AtomicCounter()
    for round in 0..<StressSize.scaled(1500, sanitized: 200) {
      let (container, isDrained, start) = (Container(), Flag(), AsyncGate())
      let threads = (0..<2).map { thread in
        JoinableThread {
          start.open()
          for _ in 0..<(round * 7 + thread * 3) % 20 { sched_yield() }
          while true {
            let scope = container.makeScope()
            if scope.isClosed { return }
            for _ in 0..<5 where isDrained.isSet { overtaken.add() }
            if thread == 0 { try scope.syncClose() }
          }
        }
      }
      await start.wait()
      try await container.shutdown(draining: .seconds(3600))
      isDrained.isSet = true
      for thread in threads { try thread.join().get() }
    }
    XCTAssertEqual(overtaken.value, 0)
  }

  /// Each is counted on one thread, and its end on another.
  func testManyScopesLeaveNothingInTheCount() async throws {
    let (container, threads) = (Container(), 4)
    let count = StressSize.scaled(100_000, sanitized: 10_000)
    let last = container.makeScope()
    try onThreads(threads) { index in
      var scopes: [Container] = []
      for _ in 0..<count / threads {
        scopes.append(container.makeScope())
        if scopes.count == 100 {
          let full = scopes
          scopes = []
          let closer = JoinableThread { for scope in full { try scope.syncClose() } }
          try closer.join().get()
        }
      }
    }
    XCTAssertEqual(container.registry.openScopeCount, 1)
    try await last.close()
    try await container.shutdown(draining: .seconds(3600))
  }

  func testManyShutdownsAtOnceEachReturnAfterTheDisposers() async throws {
    for _ in 0..<StressSize.scaled(200, sanitized: 40) {
      let tally = Tally()
      let container = try makeService(tally)
      let scope = container.makeScope()
      _ = try scope.resolve(Pool.self, name: Name(3))
      async let closing: Void = scope.close()
      try await onTasks(6) { index in
        try await container.shutdown(draining: index == 5 ? .seconds(1800) : .seconds(3600))
        XCTAssertEqual(tally.disposed.value, 1)
      }
      try await closing
    }
    await tracker.waitUntilNoneIsLeft()
    assertNoneLeft(tracker)
  }
}

/// Scopes that are open when the process forks.
final class DrainingForkTests: ForkTestCase {
  func testAChildDoesNotWaitForTheScopesOfItsParent() throws {
    let container = makeContainer()
    let (scope, dropped) = (container.makeScope(), Shared<Container?>(container.makeScope()))
    let inner = scope.makeScope()
    XCTAssertEqual(container.registry.openScopeCount, 3)
    for _ in 0..<StressSize.scaled(5) {
      try ForkedChild {
        let registry = container.registry
        try expect(registry.openScopeCount == 0, "\(registry.openScopeCount) at first")
        try expect(scope.registry.openScopeCount == 0, "in the scope")
        try inner.syncClose()
        try scope.syncClose()
        dropped.value = nil
        try expect(registry.openScopeCount == 0, "\(registry.openScopeCount) after the ends")
        let own = container.makeScope()
        try expect(registry.openScopeCount == 1, "\(registry.openScopeCount) with its own")
        registry.openScopes.drain(isScope: false)
        try expect(container.makeScope().isClosed, "not refused")
        try expect(own.makeScope().isClosed == false, "refused within its own")
        try own.syncClose()
        try expect(registry.openScopeCount == 0, "\(registry.openScopeCount) at the end")
      }.checkSuccess()
    }
    XCTAssertEqual(container.registry.openScopeCount, 3)
    XCTAssertEqual(scope.registry.openScopeCount, 1)
    try inner.syncClose()
    try scope.syncClose()
  }
}
