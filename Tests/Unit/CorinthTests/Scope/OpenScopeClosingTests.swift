// SPDX-License-Identifier: MIT

import Corinth
import Foundation
import TestSupport
import XCTest

private final class Session: Sendable {}
private struct Broken: Error {}

private func assertIsClosed(
  _ resolve: @autoclosure () throws -> some Any, line: UInt = #line
) {
  XCTAssertThrowsError(try resolve(), line: line) {
    XCTAssertTrue($0.is(.containerClosed) || $0.is(.scopeRefused), "\($0)", line: line)
  }
}

/// Open scopes that are closed from outside.
final class OpenScopeClosingTests: AsyncTestCase {
  @PerTest private var journal = Journal()

  override func setUpWithError() throws {
    let journal = journal
    container.tracksScopes = true
    try container.register(Session.self, scope: .scoped) { _ in Session() }
      .onDispose { _, outcome in journal.write("\(outcome)") }
    try container.registerInput(String.self)
    try container.register(Int.self, scope: .scoped) { try $0.resolve(String.self).count }
      .onDispose { length in journal.write("\(length)") }
  }

  private var open: [OpenScope] { container.statistics.openScopesByAge }

  // MARK: - Work

  /// A session of a request that hung at shutdown was neither rolled back nor committed.
  func testWorkThatIgnoresItsCancellationIsLeftBehindAndItsResultIsReturned() async throws {
    let (container, isOpen, mayEnd) = (container, AsyncGate(), AsyncGate())
    let request = Task {
      try await container.withScope { scope in
        _ = try scope.resolve(Session.self)
        isOpen.open()
        await mayEnd.wait()
        XCTAssertTrue(Task.isCancelled)
        assertIsClosed(try scope.resolve(Session.self))
        assertIsClosed(try scope.makeScope(providing: "a").resolve(Int.self))
        do { try await scope.withScope { _ in XCTFail("the work has begun") } } catch {
          XCTAssertTrue(error.is(.scopeRefused), "\(error)")
        }
        return 7
      }
    }
    await isOpen.wait()
    try await XCTUnwrap(open.first).close(workLimit: .milliseconds(10))
    XCTAssertEqual(journal.entries, ["interrupted"])
    XCTAssertEqual(open, [])
    mayEnd.open()
    let result = try await request.value
    XCTAssertEqual(result, 7)
    XCTAssertEqual(journal.entries, ["interrupted"])
    XCTAssertEqual(container.statistics.openScopes, 0)
  }

  func testWorkThatHeedsItsCancellationClosesItsScopeItself() async throws {
    let (container, isOpen) = (container, AsyncGate())
    let request = Task {
      do {
        try await container.withScope { scope in
          _ = try scope.resolve(Session.self)
          isOpen.open()
          try await Task.sleep(for: .seconds(3600))
        }
      } catch { XCTAssertTrue(error is CancellationError, "\(error)") }
      return Task.isCancelled
    }
    await isOpen.wait()
    try await XCTUnwrap(open.first).close(workLimit: hangLimit)
    XCTAssertEqual(journal.entries, ["cancelled"])
    let isCallerCancelled = await request.value
    XCTAssertFalse(isCallerCancelled)
  }

  func testAHandlerOfTheCancellationThatBlocksHoldsNobodyUp() async throws {
    let (container, isOpen, mayReturn) = (container, AsyncGate(), DispatchSemaphore(value: 0))
    let mayEnd = AsyncGate()
    let request = Task {
      try await container.withScope { scope in
        _ = try scope.resolve(Session.self)
        await withTaskCancellationHandler {
          isOpen.open()
          await mayEnd.wait()
        } onCancel: {
          mayReturn.wait()
        }
      }
    }
    await isOpen.wait()
    try await XCTUnwrap(open.first).close(workLimit: .milliseconds(10))
    XCTAssertEqual(journal.entries, ["interrupted"])
    mayReturn.signal()
    mayEnd.open()
    try await request.value
  }

  /// All threads that may block were, and work that heeded its cancellation never ended: its end
  /// waited for a thread that was still to cancel it.
  func testWorkEndsWhileHandlersOfCancellationsBlockAllThreads() async throws {
    let (container, mayReturn, mayEnd) = (container, DispatchSemaphore(value: 0), AsyncGate())
    let isOpen = (0..<70).map { _ in AsyncGate() }
    let stuck = isOpen.map { isOpen in
      Task {
        try await container.withScope { _ in
          await withTaskCancellationHandler {
            isOpen.open()
            await mayEnd.wait()
          } onCancel: {
            mayReturn.wait()
          }
        }
      }
    }
    for isOpen in isOpen { await isOpen.wait() }
    for scope in open { try await scope.close(workLimit: .zero) }
    let (isReady, mayGoOn) = (AsyncGate(), AsyncGate())
    let healthy = Task {
      try await container.withScope { scope in
        _ = try scope.resolve(Session.self)
        isReady.open()
        await mayGoOn.wait()
      }
    }
    await isReady.wait()
    try await XCTUnwrap(open.last).close(workLimit: .zero)
    XCTAssertEqual(journal.entries, ["interrupted"])
    mayGoOn.open()
    try await healthy.value
    for _ in stuck { mayReturn.signal() }
    mayEnd.open()
    for request in stuck { try await request.value }
  }

  /// The body ran in a scope that was closed before.
  @MainActor
  func testWorkThatHasNotBegunIsGivenItsTimeOrRefused() async throws {
    let container = container
    for limit in [hangLimit, .zero] {
      let closing = Task { @MainActor in
        guard let scope = container.statistics.openScopesByAge.first else { return }
        try await scope.close(workLimit: limit)
      }
      do {
        try await container.withScope { scope in XCTAssertFalse(scope.isClosed) }
      } catch { XCTAssertTrue(error.is(.scopeRefused), "\(error)") }
      try await closing.value
    }
  }

  @TaskLocal private static var trace = 0

  /// The body of a tracked scope runs in a child task. It must not be seen.
  @MainActor
  func testTrackedWorkRunsAsOtherWork() async throws {
    let container = container
    final class NotSendable { var count = 0 }
    let counter = NotSendable()
    let result = try await Self.$trace.withValue(5) {
      try await container.withScope { _ in
        MainActor.assertIsolated()
        counter.count += Self.trace
        await Task.yield()
        MainActor.assertIsolated()
        return counter
      }
    }
    XCTAssertTrue(result === counter)
    XCTAssertEqual(result.count, 5)
    do {
      try await container.withScope { _ in throw Broken() }
      XCTFail("no error")
    } catch { XCTAssertTrue(error is Broken, "\(error)") }
    let isOpen = AsyncGate()
    let cancelled = Task {
      try await container.withScope { _ in
        isOpen.open()
        try await Task.sleep(for: .seconds(3600))
      }
    }
    await isOpen.wait()
    cancelled.cancel()
    let outcome = await cancelled.result
    XCTAssertThrowsError(try outcome.get()) {
      XCTAssertTrue($0 is CancellationError, "\($0)")
    }
  }

  /// Nobody else could end the wait.
  func testWorkThatClosesItsOwnScopeGoesOn() async throws {
    let container = container
    let result = try await container.withScope { scope in
      _ = try scope.resolve(Session.self)
      try await XCTUnwrap(container.statistics.openScopesByAge.first)
        .close(workLimit: .milliseconds(10))
      assertIsClosed(try scope.resolve(Session.self))
      return 7
    }
    XCTAssertEqual(result, 7)
    XCTAssertEqual(journal.entries, ["interrupted"])
  }

  /// A synchronous end cannot wait for the task that disposes: it lost the result, and said that it
  /// had to be asynchronous.
  func testSynchronousWorkReturnsItsResultBesideTheDisposers() async throws {
    let (container, journal) = (container, journal)
    let (disposing, mayDispose) = (AsyncGate(), AsyncGate())
    try container.register(Double.self, scope: .scoped) { _ in 1 }.onDispose { _ async in
      disposing.open()
      await mayDispose.wait()
      journal.write("disposed")
    }
    let (isOpen, mayEnd) = (AsyncGate(), DispatchSemaphore(value: 0))
    let request = JoinableThread {
      try container.syncWithScope { scope in
        _ = try scope.resolve(Double.self)
        isOpen.open()
        mayEnd.wait()
        return 7
      }
    }
    await isOpen.wait()
    let scope = try XCTUnwrap(open.first)
    async let closing: Void = scope.close()
    await disposing.wait()
    mayEnd.signal()
    XCTAssertEqual(try request.join().get(), 7)
    XCTAssertEqual(journal.entries, [])
    mayDispose.open()
    try await closing
    XCTAssertEqual(journal.entries, ["disposed"])
  }

  // MARK: - Several scopes

  func testInnerScopesGoFirst() async throws {
    let outer = container.makeScope(providing: "a")
    let inner = outer.makeScope(providing: "bb")
    let other = container.makeScope(providing: "ccc")
    for scope in [inner, outer, other] { _ = try scope.resolve(Int.self) }
    try await XCTUnwrap(open.first).close()
    XCTAssertEqual(journal.entries, ["2", "1"])
    XCTAssertTrue(inner.isClosed && outer.isClosed)
    XCTAssertFalse(other.isClosed)
    try await other.close()
  }

  /// The work of an outer scope ended it while inner ones were still being disposed of, and what
  /// was resolved from it then was disposed of by nobody.
  func testAnOuterScopeEndsNothingAndResolvesNothingWhileInnerOnesAreClosed() async throws {
    let (container, journal) = (container, journal)
    let (disposing, mayDispose) = (AsyncGate(), AsyncGate())
    try container.register(Double.self, scope: .scoped) { _ in 1 }.onDispose { _ async in
      disposing.open()
      await mayDispose.wait()
      journal.write("inner")
    }
    let outer = container.makeScope(providing: "a")
    let inner = outer.makeScope()
    _ = (try outer.resolve(Int.self), try inner.resolve(Double.self))
    let scope = try XCTUnwrap(open.first)
    async let closing: Void = scope.close()
    await disposing.wait()
    assertIsClosed(try outer.resolve(Session.self))
    // A scope that was made between the look at the list and the claim of the one around it was
    // disposed of after that.
    XCTAssertTrue(outer.makeScope().isClosed)
    XCTAssertEqual(open.count, 2)
    async let ownEnd: Void = outer.close()
    mayDispose.open()
    try await ownEnd
    XCTAssertEqual(journal.entries, ["inner", "1"])
    try await closing
  }

  /// It waited for the end of a scope that came after it.
  func testADisposerMayEndAScopeThatIsClosedAfterIts() async throws {
    let (container, journal) = (container, journal)
    let outer = container.makeScope(providing: "a")
    let inner = outer.makeScope()
    try inner.register(Double.self, scope: .scoped) { _ in 1 }.onDispose { _ async throws in
      try await outer.close()
      for scope in container.statistics.openScopesByAge { try await scope.close() }
      journal.write("inner")
    }
    _ = (try outer.resolve(Int.self), try inner.resolve(Double.self))
    try await XCTUnwrap(open.first).close(timeLimit: hangLimit)
    XCTAssertEqual(journal.entries, ["inner", "1"])
  }

  func testAScopeThatHasEndedIsLeftAlone() async throws {
    let scope = container.makeScope()
    _ = try scope.resolve(Session.self)
    let found = try XCTUnwrap(open.first)
    try await scope.close()
    try await found.close()
    XCTAssertEqual(journal.entries, ["completed"])
    let dropped = try { () throws -> OpenScope in
      let dropped = container.makeScope()
      _ = try dropped.resolve(Session.self)
      return try XCTUnwrap(open.first)
    }()
    try await dropped.close()
    XCTAssertEqual(journal.entries, ["completed"])
  }

  // MARK: - Limits

  /// Whoever closed it waited for ever.
  func testAScopeWhoseOwnEndHangsIsReported() async throws {
    let (container, journal) = (container, journal)
    let (disposing, mayDispose) = (AsyncGate(), AsyncGate())
    try container.register(Double.self, scope: .scoped) { _ in 1 }.onDispose { _ async in
      disposing.open()
      await mayDispose.wait()
      journal.write("disposed")
    }
    let request = Task {
      try await container.withScope { scope in _ = try scope.resolve(Double.self) }
    }
    await disposing.wait()
    let scope = try XCTUnwrap(open.first)
    await assertThrows {
      try await scope.close(timeLimit: .milliseconds(20))
    } _: { error in
      guard case CloseError.disposalFailed(let failures) = error else {
        return XCTFail("\(error)")
      }
      XCTAssertEqual(failures.map(\.location), [scope.location])
      XCTAssertEqual((failures.first?.error as? TimeLimitExceeded)?.wasBegun, true)
      let text = "\(error)"
      XCTAssertTrue(text.hasPrefix("1 request scope did not end in time.\n"), text)
      XCTAssertTrue(text.hasSuffix("made at \(scope.location)"), text)
    }
    XCTAssertEqual(journal.entries, [])
    mayDispose.open()
    try await request.value
    XCTAssertEqual(journal.entries, ["disposed"])
  }

  /// It was reported as one that hangs.
  func testADisposerOfTheOwnEndMayCloseTheScopeFromOutside() async throws {
    let (container, journal) = (container, journal)
    try container.register(Double.self, scope: .scoped) { _ in 1 }.onDispose { _ async throws in
      try await container.statistics.openScopesByAge.first?.close(timeLimit: hangLimit)
      journal.write("disposed")
    }
    try await container.withScope { scope in _ = try scope.resolve(Double.self) }
    XCTAssertEqual(journal.entries, ["disposed"])
  }

  func testOneLimitHoldsForAllScopesTogether() async throws {
    let (container, mayDispose) = (container, AsyncGate())
    try container.register(Double.self, scope: .scoped) { _ in 1 }
      .onDispose { _ async in await mayDispose.wait() }
    let outer = container.makeScope()
    let inner = outer.makeScope()
    _ = (try outer.resolve(Double.self), try inner.resolve(Double.self))
    let scope = try XCTUnwrap(open.first)
    await assertThrows {
      try await scope.close(timeLimit: .seconds(3600), totalTimeLimit: .milliseconds(50))
    } _: { error in
      guard case CloseError.disposalFailed(let failures) = error else {
        return XCTFail("\(error)")
      }
      XCTAssertEqual(
        failures.map { ($0.error as? TimeLimitExceeded)?.wasBegun }, [true, false])
    }
    XCTAssertTrue(outer.isClosed && inner.isClosed)
    mayDispose.open()
  }

  // MARK: - Races

  func testOneOfTheEndsDisposesWhenTheWorkEndsAsTheClosingBegins() async throws {
    let container = container
    for round in 1...StressSize.scaled(1_000) {
      let isOpen = AsyncGate()
      let request = Task {
        try await container.withScope { scope in
          _ = try scope.resolve(Session.self)
          isOpen.open()
        }
      }
      await isOpen.wait()
      let found = open.first
      async let first: Void? = found?.close(workLimit: .zero)
      async let second: Void? = found?.close(workLimit: .zero)
      _ = try await (first, second)
      try await request.value
      XCTAssertEqual(journal.entries.count, round)
      XCTAssertEqual(container.statistics.openScopes, 0)
    }
  }

  func testOneOfTheEndsDisposesWhenAThreadEndsAsTheClosingBegins() async throws {
    let (container, barrier) = (container, Barrier(2))
    let rounds = StressSize.scaled(1_000)
    let isMade = (0..<rounds).map { _ in AsyncGate() }
    let worker = JoinableThread {
      for isMade in isMade {
        try container.syncWithScope { scope in
          _ = try scope.resolve(Session.self)
          isMade.open()
          barrier.wait()
        }
        barrier.wait()
      }
    }
    for (round, isMade) in isMade.enumerated() {
      await isMade.wait()
      let found = open.first
      let closer = JoinableThread { barrier.wait() }
      async let closing: Void? = found?.close()
      _ = closer.join()
      try await closing
      let end = JoinableThread { barrier.wait() }
      _ = end.join()
      XCTAssertEqual(journal.entries.count, round + 1)
    }
    try worker.join().get()
  }
}
