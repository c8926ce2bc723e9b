// SPDX-License-Identifier: MIT

import Corinth
import Foundation
import TestSupport
import XCTest

private final class Session: Sendable {}
private final class Pool: Sendable {}

/// A service that closes the scopes that are still open when its draining has timed out.
final class ContainerServiceOpenScopesTests: AsyncTestCase {
  @PerTest private var journal = Journal()

  override func setUpWithError() throws {
    let journal = journal
    try container.register(Pool.self, scope: .singleton) { _ in Pool() }.dependsOn()
      .onDispose { _ in journal.write("pool") }
    try container.register(Session.self, scope: .scoped) { _ in Session() }.dependsOn()
      .onDispose { _, outcome in journal.write("\(outcome)") }
    _ = try container.resolve(Pool.self)
  }

  /// A request that opens a scope, and ignores its cancellation until it may end.
  private struct Request {
    let isOpen = AsyncGate()
    let mayEnd = AsyncGate()

    func run(in container: Container) async throws -> Int {
      try await container.withScope { scope in
        _ = try scope.resolve(Session.self)
        isOpen.open()
        await mayEnd.wait()
        return 7
      }
    }
  }

  /// The process exited while a session of a request was neither rolled back nor committed.
  func testOpenScopesAreClosedBeforeTheSingletons() async throws {
    let (container, request, isRequested) = (container, Request(), AsyncGate())
    let service = ContainerService(
      container, draining: .milliseconds(20), closingOpenScopesAfter: .milliseconds(20)
    ) { await isRequested.wait() }
    let work = Task { try await request.run(in: container) }
    await request.isOpen.wait()
    isRequested.open()
    await assertThrows {
      try await service.run()
    } _: { error in
      guard case CloseError.drainingTimedOut(openScopes: 1, let failures) = error else {
        return XCTFail("\(error)")
      }
      XCTAssertEqual(failures.count, 0)
    }
    XCTAssertEqual(journal.entries, ["interrupted", "pool"])
    request.mayEnd.open()
    let result = try await work.value
    XCTAssertEqual(result, 7)
    XCTAssertEqual(journal.entries, ["interrupted", "pool"])
  }

  func testScopesThatEndInTimeEndByThemselves() async throws {
    let (container, isOpen) = (container, AsyncGate())
    let service = ContainerService(container, closingOpenScopesAfter: .zero) {
      await isOpen.wait()
    }
    let work = Task {
      try await container.withScope { scope in
        _ = try scope.resolve(Session.self)
        isOpen.open()
      }
    }
    try await service.run()
    try await work.value
    XCTAssertEqual(journal.entries, ["completed", "pool"])
  }

  func testTheSecondSignalClosesOpenScopesAtOnce() async throws {
    let (container, request) = (container, Request())
    let service = ContainerService(
      container, draining: .seconds(3600), closingOpenScopesAfter: .milliseconds(20),
      signals: [ShutdownSignal(rawValue: SIGUSR1)])
    let work = Task { try await request.run(in: container) }
    await request.isOpen.wait()
    // One is enough: it is received before the start.
    async let running: Void = service.run(starting: { kill(getpid(), SIGUSR1) })
    await waitUntil { container.makeScope().isClosed }
    kill(getpid(), SIGUSR1)
    try await running
    XCTAssertEqual(journal.entries, ["interrupted", "pool"])
    request.mayEnd.open()
    _ = try await work.value
  }

  /// Scopes and singletons had a total each.
  func testTheTotalLimitHoldsForScopesAndSingletonsTogether() async throws {
    let (container, mayDispose) = (container, AsyncGate())
    try container.register(Double.self, scope: .scoped) { _ in 1 }
      .onDispose { _ async in await mayDispose.wait() }
    let scope = container.makeScope()
    let service = ContainerService(
      container, draining: .zero, timeLimit: .seconds(3600), totalTimeLimit: .milliseconds(50),
      closingOpenScopesAfter: .zero
    ) {}
    let tracked = container.makeScope()
    _ = (try scope.resolve(Session.self), try tracked.resolve(Double.self))
    await assertThrows {
      try await service.run()
    } _: { error in
      guard case CloseError.drainingTimedOut(openScopes: 2, let failures) = error else {
        return XCTFail("\(error)")
      }
      XCTAssertEqual(failures.map { ($0.error as? TimeLimitExceeded)?.wasBegun }, [true, false])
    }
    // A scope that was made before the service is not tracked, and left as it was.
    XCTAssertFalse(scope.isClosed)
    XCTAssertTrue(tracked.isClosed && container.isClosed)
    XCTAssertEqual(journal.entries, [])
    mayDispose.open()
    try await scope.close()
  }

  /// They were closed one after the other: of 50 requests whose disposers took 400 ms, 5 had their
  /// end within 2 s.
  func testUnrelatedScopesAreClosedSideBySideInBoundedNumber() async throws {
    for isBlocking in [false, true] {
      let (container, bound) = (Container(), 32)
      let (mayEnd, mayReturn) = (AsyncGate(), DispatchSemaphore(value: 0))
      let running = Locked((now: 0, most: 0))
      try container.register(Double.self, scope: .scoped) { _ in 1 }.onDispose { _ async in
        let now = running.withLock { running in
          running.now += 1
          running.most = max(running.most, running.now)
          return running.now
        }
        // The others come when some of these have ended.
        if now == bound {
          mayEnd.open()
          for _ in 0..<100 { mayReturn.signal() }
        }
        if isBlocking { Self.wait(mayReturn) } else { await mayEnd.wait() }
        running.withLock { $0.now -= 1 }
      }
      let service = ContainerService(
        container, draining: .zero, timeLimit: hangLimit, totalTimeLimit: hangLimit,
        closingOpenScopesAfter: .zero
      ) {}
      let scopes = (0..<bound + 18).map { _ in container.makeScope() }
      for scope in scopes { _ = try scope.resolve(Double.self) }
      await assertThrows {
        try await service.run()
      } _: { error in
        guard case CloseError.drainingTimedOut(openScopes: scopes.count, let failures) = error
        else { return XCTFail("\(error)") }
        XCTAssertEqual(failures.count, 0)
      }
      XCTAssertEqual(running.withLock { $0.most }, bound)
    }
  }

  private static func wait(_ semaphore: DispatchSemaphore) { semaphore.wait() }

  /// A child, with its singletons, is not ended with its parent, and neither are its scopes.
  func testScopesOfAChildAreWaitedForAndClosedByThoseWhoEndTheChild() async throws {
    let (container, journal) = (container, journal)
    let child = Container(parent: container)
    child.tracksScopes = true
    // A service whose end is requested before its start has returned prepares nothing.
    let service = ContainerService(container, draining: .zero, closingOpenScopesAfter: .zero) {
      try await waitForTheStart()
    }
    let (left, closed) = (child.makeScope(), child.makeScope())
    _ = (try left.resolve(Session.self), try closed.resolve(Session.self))
    XCTAssertEqual(container.statistics.untrackedScopes, 2)
    await assertThrows {
      try await service.run(
        starting: {},
        beforeDraining: {
          do { try await child.statistics.openScopesByAge.last?.close() } catch {
            XCTFail("\(error)")
          }
          journal.write("child")
        })
    } _: { error in
      guard case CloseError.drainingTimedOut(openScopes: 1, let failures) = error else {
        return XCTFail("\(error)")
      }
      XCTAssertEqual(failures.count, 0)
    }
    XCTAssertEqual(journal.entries, ["interrupted", "child", "pool"])
    XCTAssertFalse(left.isClosed || child.isClosed)
    XCTAssertTrue(closed.isClosed)
    try await left.close()
  }

  /// A scope that was opened while the last ones were closed was not in the list of them.
  func testNoScopeIsOpenedWhileTheLastOnesAreClosed() async throws {
    let (container, journal) = (container, journal)
    let outer = Locked<Container?>(nil)
    try container.register(Double.self, scope: .scoped) { _ in 1 }.onDispose { _ in
      let late = [outer.withLock { $0 }?.makeScope(), container.makeScope()]
      for scope in late {
        journal.write("\(scope?.isClosed == true) \((try? scope?.resolve(Session.self)) == nil)")
      }
    }
    let service = ContainerService(container, draining: .zero, closingOpenScopesAfter: .zero) {}
    let scope = container.makeScope()
    outer.withLock { $0 = scope }
    let inner = scope.makeScope()
    _ = try inner.resolve(Double.self)
    await assertThrows { try await service.run() }
    XCTAssertEqual(journal.entries, ["true true", "true true", "pool"])
    outer.withLock { $0 = nil }
    XCTAssertEqual(container.statistics.openScopes, container.statistics.openScopesByAge.count)
  }

  func testScopesOfAllVersionsOfAReloadableContainerAreClosed() async throws {
    let (container, journal) = (container, journal)
    let reloadable = ReloadableContainer(container)
    let service = ContainerService(container, draining: .zero, closingOpenScopesAfter: .zero) {}
    let old = reloadable.current.makeScope()
    try await reloadable.reload { try $0.register(value: 1) }
    let new = reloadable.current.makeScope()
    _ = (try old.resolve(Session.self), try new.resolve(Session.self))
    await assertThrows { try await service.run() }
    XCTAssertEqual(journal.entries, ["interrupted", "interrupted", "pool"])
    XCTAssertTrue(old.isClosed && new.isClosed)
  }
}
