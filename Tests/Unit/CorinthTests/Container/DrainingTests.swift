// SPDX-License-Identifier: MIT

import TestSupport
import XCTest

@testable import Corinth

/// A shutdown that first lets the open scopes end.
final class DrainingTests: ShutdownTestCase {
  private func assertRefused(
    _ container: Container, line: UInt = #line, _ body: (any Error) -> Void = { _ in }
  ) {
    XCTAssertThrowsError(try container.resolve(NodeA.self), line: line) { error in
      XCTAssertTrue(error.is(.scopeRefused), "\(error)", line: line)
      body(error)
    }
  }

  /// Begins to shut the container down, and returns once that waits.
  private func beginShutdown(
    of container: Container, draining: Duration = .seconds(3600), in lobby: Lobby = Lobby()
  ) async -> Task<Void, any Error> {
    let task = Task { try await lobby.enter { try await container.shutdown(draining: draining) } }
    await lobby.waitForSuspension(of: 1)
    return task
  }

  // MARK: - Waiting

  func testTheShutdownWaitsForTheOpenScopesAndDisposesThen() async throws {
    try add(A.self)
    _ = try container.resolve(NodeA.self)
    let scopes = [container.makeScope(), container.makeScope()]
    let shutdown = await beginShutdown(of: container)
    XCTAssertFalse(container.isClosed)
    try await scopes[0].close()
    XCTAssertEqual(log.entries, [])
    XCTAssertFalse(container.isClosed)
    log.add("closed")
    try await scopes[1].close()
    try await shutdown.value
    XCTAssertEqual(log.entries, ["closed", "A"])
  }

  func testNothingIsWaitedForWhenNoScopeIsOpen() async throws {
    try add(A.self)
    _ = try container.resolve(NodeA.self)
    try await container.withScope { _ in }
    try await container.shutdown(draining: .seconds(3600))
    XCTAssertEqual(log.entries, ["A"])
  }

  func testNoTimeIsTooLong() async throws {
    try add(A.self)
    _ = try container.resolve(NodeA.self)
    let (forever, scope) = (Duration.seconds(Int64.max), container.makeScope())
    let container = container
    let shutdown = Task {
      try await container.shutdown(
        draining: forever, timeLimit: forever, totalTimeLimit: forever)
    }
    while !container.registry.openScopes.isDraining { await Task.yield() }
    // The alarm is set in a task of its own.
    try await Task.sleep(for: .milliseconds(20))
    try await scope.close(timeLimit: forever)
    try await shutdown.value
    XCTAssertEqual(log.entries, ["A"])
  }

  func testTheDisposersOfTheLastScopeRunBeforeThoseOfTheContainer() async throws {
    try add(A.self)
    _ = try container.resolve(NodeA.self)
    let (disposing, mayEnd) = (AsyncGate(), AsyncGate())
    try container.register(NodeB.self, scope: .scoped) { [tracker] _ in CompanionOf(tracker) }
      .onDispose { [log] _ in
        disposing.open()
        await mayEnd.wait()
        log.add("scoped")
      }
    let scope = container.makeScope()
    _ = try scope.resolve(NodeB.self)
    let shutdown = await beginShutdown(of: container)
    let closing = Task { try await scope.close() }
    await disposing.wait()
    XCTAssertFalse(container.isClosed, "the scope has been sealed, and is not closed")
    mayEnd.open()
    try await closing.value
    try await shutdown.value
    XCTAssertEqual(log.entries, ["scoped", "A"])
  }

  func testAScopeThatIsClosedTwiceCountsOnce() async throws {
    let (first, second) = (container.makeScope(), container.makeScope())
    XCTAssertEqual(container.registry.openScopeCount, 2)
    try await first.close()
    try await first.close()
    XCTAssertEqual(container.registry.openScopeCount, 1)
    let shutdown = await beginShutdown(of: container)
    try await first.close()
    XCTAssertFalse(container.isClosed)
    try await second.close()
    try await shutdown.value
  }

  func testAScopeThatIsDroppedCountsAsClosed() async throws {
    try add(A.self)
    var scope: Container? = container.makeScope()
    _ = try scope?.resolve(NodeA.self)
    let shutdown = await beginShutdown(of: container)
    XCTAssertFalse(container.isClosed)
    scope = nil
    try await shutdown.value
    XCTAssertEqual(log.entries, ["A"])
  }

  /// Its core lives on in the provider. Its registrations have been let go.
  func testAScopeThatIsOutlivedByAProviderCountsAsClosed() async throws {
    try container.register(Provider<Int>.self) { try $0.provider(for: Int.self) }
    try container.register(Int.self) { _ in 1 }
    let provider = try container.makeScope().resolve(Provider<Int>.self)
    XCTAssertEqual(container.registry.openScopeCount, 0)
    try await container.shutdown(draining: .seconds(3600))
    XCTAssertThrowsError(try provider())
  }

  func testTheScopesOfDescendantsAreWaitedForAndThoseOfOthersAreNot() async throws {
    let root = Container()
    let parent = Container(parent: root)
    let child = Container(parent: parent)
    let other = root.makeScope()
    let scopes = [parent.makeScope(), child.makeScope(), Container(parent: child).makeScope()]
    XCTAssertEqual(root.registry.openScopeCount, 4)
    let shutdown = await beginShutdown(of: parent)
    for scope in scopes {
      XCTAssertFalse(parent.isClosed)
      try await scope.close()
    }
    try await shutdown.value
    XCTAssertEqual(root.registry.openScopeCount, 1)
    XCTAssertNoThrow(try root.syncWithScope { _ in }, "only the child is shut down")
    try await other.close()
  }

  func testAScopeWaitsForTheScopesInIt() async throws {
    let outer = container.makeScope()
    let inner = outer.makeScope()
    let innermost = inner.makeScope()
    let shutdown = await beginShutdown(of: outer)
    assertRefused(outer.makeScope())
    XCTAssertFalse(inner.makeScope().isClosed)
    try await inner.close()
    XCTAssertFalse(outer.isClosed)
    try await innermost.close()
    try await shutdown.value
    XCTAssertTrue(outer.isClosed)
    XCTAssertEqual(container.registry.openScopeCount, 0)
  }

  // MARK: - Refusing

  func testNewScopesAreRefusedInTheContainerAndItsDescendants() async throws {
    try add(A.self)
    let child = Container(parent: container)
    let scope = container.makeScope()
    let shutdown = await beginShutdown(of: container)
    assertRefused(container.makeScope()) { assertGolden("scope-refused", "\($0)") }
    assertRefused(child.makeScope())
    assertRefused(Container(parent: child).makeScope())
    assertRefused(container.makeScope().makeScope())
    XCTAssertTrue(container.makeScope().isClosed)
    XCTAssertThrowsError(try container.makeScope().register(Int.self) { _ in 1 })
    try await container.makeScope().close()
    XCTAssertNoThrow(try container.resolve(NodeA.self), "the container itself is open")
    XCTAssertEqual(container.registry.openScopeCount, 1)
    try await scope.close()
    try await shutdown.value
    assertRefused(container.makeScope())
    XCTAssertEqual(log.entries, ["A"])
  }

  func testAFactoryThatOpensAScopeIsRefusedWithItsPath() async throws {
    let container = container
    try container.register(Int.self) { [unowned container] _ in
      try container.syncWithScope { _ in 1 }
    }
    let scope = container.makeScope()
    let shutdown = await beginShutdown(of: container)
    XCTAssertThrowsError(try scope.resolve(Int.self)) { error in
      XCTAssertTrue(error.is(.scopeRefused), "\(error)")
      XCTAssertTrue("\(error)".hasPrefix("The container is shutting down"), "\(error)")
      XCTAssertTrue("\(error)".contains("path: Int -> Container"), "\(error)")
    }
    try await scope.close()
    try await shutdown.value
  }

  /// Without draining, the work ran, and each resolve in it failed.
  func testAClosedContainerRunsNoWork() async throws {
    let (container, log) = (container, log)
    let scope = container.makeScope()
    try await scope.close()
    try await container.shutdown()
    for closed in [container, scope] {
      XCTAssertThrowsError(try closed.syncWithScope { _ in log.add("body") }) {
        XCTAssertTrue($0.is(.scopeRefused), "\($0)")
      }
      await assertThrows {
        try await closed.withScope { _ in log.add("body") }
      } _: {
        XCTAssertTrue($0.is(.scopeRefused), "\($0)")
      }
    }
    XCTAssertEqual(log.entries, [])
  }

  func testWithScopeThrowsBeforeItsBodyRuns() async throws {
    let (container, log) = (container, log)
    let scope = container.makeScope()
    let shutdown = await beginShutdown(of: container)
    XCTAssertThrowsError(try container.syncWithScope { _ in log.add("body") }) { error in
      XCTAssert(error.is(.scopeRefused))
      assertGolden("scope-refused-before", "\(error)")
    }
    await assertThrows {
      try await container.withScope { _ in log.add("body") }
    } _: {
      XCTAssert($0.is(.scopeRefused))
    }
    try await scope.close()
    try await shutdown.value
    XCTAssertEqual(log.entries, [])
  }

  func testAScopeThatWasLetInResolvesBuildsAndMakesScopesOfItsOwn() async throws {
    try add(A.self)
    try container.register(Int.self, scope: .scoped) { _ in 7 }
    let scope = container.makeScope()
    let shutdown = await beginShutdown(of: container)
    XCTAssertEqual(try scope.resolve(NodeA.self).serial, 1, "not built before")
    let inner = scope.makeScope()
    XCTAssertEqual(try inner.resolve(Int.self), 7)
    XCTAssertEqual(try Container(parent: scope).makeScope().resolve(Int.self), 7)
    try await inner.withScope { XCTAssertEqual(try $0.resolve(Int.self), 7) }
    // The inner one is still open.
    try await scope.close()
    XCTAssertFalse(container.isClosed)
    try await inner.close()
    try await shutdown.value
    XCTAssertEqual(log.entries, ["A"])
  }

  func testAShutdownThatDoesNotDrainLeavesScopesAlone() async throws {
    let scope = container.makeScope()
    try await container.shutdown()
    XCTAssertFalse(scope.isClosed)
    XCTAssertFalse(container.makeScope().isClosed)
  }

  // MARK: - Time limits

  func testScopesThatStayOpenAreReportedAndTheDisposersRun() async throws {
    try add(A.self)
    _ = try container.resolve(NodeA.self)
    let container = container
    let scopes = [container.makeScope(), container.makeScope().makeScope()]
    await assertThrows {
      try await container.shutdown(draining: .milliseconds(10))
    } _: { error in
      XCTAssertTrue(error.is(.drainingTimedOut))
      assertGolden("draining-timed-out", "\(error)")
    }
    XCTAssertEqual(log.entries, ["A"])
    XCTAssertThrowsError(try scopes[0].resolve(NodeA.self)) {
      XCTAssertTrue($0.is(.containerClosed))
    }
    for scope in scopes { try await scope.close() }
    try await container.shutdown(draining: .seconds(3600))
  }

  func testNoTimeToDrainRefusesAndReports() async throws {
    struct Broken: Error {}
    try add(A.self).onDispose { _ in throw Broken() }
    _ = try container.resolve(NodeA.self)
    let container = container
    let scope = container.makeScope()
    await assertThrows {
      try await container.shutdown(draining: .zero)
    } _: { error in
      assertGolden("draining-timed-out-and-failed", "\(error)")
      guard case CloseError.drainingTimedOut(let count, let failures) = error else { return }
      XCTAssertEqual(count, 1)
      XCTAssert(failures.first?.error is Broken)
    }
    XCTAssertEqual(log.entries, ["A"])
    try await scope.close()
  }

  func testWhatHasNotBegunWithinTheTotalTimeIsOmittedAndReported() async throws {
    try add(A.self)
    try add(B.self)
    try add(C.self).onDispose { _ in try await Task.sleep(for: .seconds(3600)) }
    _ = try container.resolve(NodeA.self)
    _ = try container.resolve(NodeB.self)
    _ = try container.resolve(NodeC.self)
    let container = container
    let failures = await failures {
      try await container.shutdown(totalTimeLimit: .milliseconds(20))
    }
    XCTAssertEqual(failures.count, 4)
    XCTAssert(failures.first?.error is TimeLimitExceeded)
    XCTAssert(failures.dropFirst().allSatisfy { $0.error.isOmission })
    XCTAssertEqual(log.entries, [])
    failures.last.map { assertGolden("disposal-omitted", "\($0.error)") }
  }

  func testTheTimeForEachDisposerHoldsBesideThatForAll() async throws {
    try add(A.self)
    try add(B.self).onDispose { _ in try await Task.sleep(for: .seconds(3600)) }
    _ = try container.resolve(NodeA.self)
    _ = try container.resolve(NodeB.self)
    let container = container
    let failures = await failures {
      try await container.shutdown(
        timeLimit: .seconds(2), totalTimeLimit: .seconds(3600))
    }
    XCTAssertEqual(failures.map(\.key.description), ["CompanionOf<B>"])
    XCTAssertEqual(log.entries, ["B", "A"])
  }

  func testWithScopeTakesATimeLimit() async throws {
    try container.register(NodeA.self, scope: .scoped) { [tracker] _ in CompanionOf(tracker) }
      .onDispose { _ in try await Task.sleep(for: .seconds(3600)) }
    let container = container
    let failures = await failures {
      try await container.withScope(timeLimit: .milliseconds(10)) { scope in
        _ = try scope.resolve(NodeA.self)
      }
    }
    XCTAssert(failures.first?.error is TimeLimitExceeded)
  }

  // MARK: - Several callers

  func testASecondShutdownWithoutDrainingEndsTheWait() async throws {
    try add(A.self)
    _ = try container.resolve(NodeA.self)
    let scope = container.makeScope()
    let shutdown = await beginShutdown(of: container)
    try await container.shutdown()
    try await shutdown.value
    XCTAssertEqual(log.entries, ["A"])
    try await scope.close()
  }

  func testACloseEndsTheWaitToo() async throws {
    let scope = container.makeScope()
    let shutdown = await beginShutdown(of: container)
    try await container.close()
    try await shutdown.value
    try await scope.close()
  }

  func testManyMayDrainTogether() async throws {
    try add(A.self)
    _ = try container.resolve(NodeA.self)
    let (container, lobby) = (container, Lobby())
    let scope = container.makeScope()
    let shutdowns = (0..<5).map { _ in
      Task { try await lobby.enter { try await container.shutdown(draining: .seconds(3600)) } }
    }
    await lobby.waitForSuspension(of: 5)
    XCTAssertFalse(container.isClosed)
    try await scope.close()
    for shutdown in shutdowns { try await shutdown.value }
    XCTAssertEqual(log.entries, ["A"])
  }

  func testCancellingTheCallerDoesNotEndTheWait() async throws {
    try add(A.self)
    _ = try container.resolve(NodeA.self)
    let scope = container.makeScope()
    let shutdown = await beginShutdown(of: container)
    shutdown.cancel()
    await Task.yield()
    XCTAssertFalse(container.isClosed)
    try await scope.close()
    try await shutdown.value
    XCTAssertEqual(log.entries, ["A"])
  }

  func testADisposerOfAScopeMayAwaitTheShutdownOfAnotherContainer() async throws {
    let other = Container()
    try other.register(NodeB.self, scope: .singleton) { [tracker] _ in CompanionOf(tracker) }
      .onDispose { [log] _ in log.add("other") }
    _ = try other.resolve(NodeB.self)
    try container.register(NodeA.self, scope: .scoped) { [tracker] _ in CompanionOf(tracker) }
      .onDispose { _ in try await other.shutdown(draining: .seconds(3600)) }
    let scope = container.makeScope()
    _ = try scope.resolve(NodeA.self)
    let shutdown = await beginShutdown(of: container)
    try await scope.close()
    try await shutdown.value
    XCTAssertEqual(log.entries, ["other"])
  }
}
