// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import XCTest

@testable import Corinth

/// Limits of time while threads are blocked.
///
/// Each limit was kept by a task that slept, and disposers ran on the threads that tasks share.
/// With as many blocked disposers, or requests, as there are processors, no limit held: a shutdown
/// never returned.
final class BlockedThreadTests: ShutdownTestCase {
  private let mayEnd = DispatchSemaphore(value: 0)
  private let processors = ProcessInfo.processInfo.activeProcessorCount

  /// Makes singletons whose disposers block their threads until the test ends.
  private func addBlockingDisposers(_ count: Int) throws {
    for number in 0..<count {
      try container.register(Int.self, name: Name(number), scope: .singleton) { _ in number }
        .onDispose { [log, mayEnd] _ in
          log.add("\(number)")
          mayEnd.wait()
        }
      _ = try container.resolve(Int.self, name: Name(number))
    }
    addTeardownBlock { [mayEnd] in for _ in 0..<count { mayEnd.signal() } }
  }

  private func blockPool() {
    let pool = BlockedPool()
    addTeardownBlock { pool.end() }
  }

  // MARK: - Blocked disposers

  func testAShutdownReportsDisposersThatBlockAsManyThreadsAsThereAreProcessors() async throws {
    try addBlockingDisposers(processors + 1)
    try add(A.self)
    _ = try container.resolve(NodeA.self)
    let failures = await failures { [container] in
      try await container.shutdown(timeLimit: .milliseconds(300))
    }
    XCTAssertEqual(failures.count { $0.key.description != "CompanionOf<A>" }, processors + 1)
    XCTAssertTrue(failures.allSatisfy { ($0.error as? TimeLimitExceeded)?.wasBegun == true })
    // On a busy machine it may be late as well.
    await waitUntil { log.entries.contains("A") }
    XCTAssertTrue(log.entries.contains("A"))
  }

  func testATotalLimitHoldsForDisposersThatBlock() async throws {
    try addBlockingDisposers(processors + 1)
    let failures = await failures { [container] in
      try await container.shutdown(timeLimit: .seconds(3600), totalTimeLimit: .milliseconds(20))
    }
    XCTAssertEqual(failures.count, processors + 1)
    XCTAssertLessThanOrEqual(log.entries.count, 1)
    // On a busy machine there may be no time for the first one either.
    XCTAssertGreaterThanOrEqual(failures.filter { $0.error.isOmission }.count, processors)
  }

  func testScopesAndReleasesComeBackFromDisposersThatBlock() async throws {
    try container.register(String.self, scope: .scoped) { _ in "scoped" }
      .onDispose { [mayEnd] _ in mayEnd.wait() }
    // None goes on before the test is over: a signal might reach a disposer that begins late, and
    // end it within its limit.
    addTeardownBlock { [mayEnd, processors] in for _ in 0...processors { mayEnd.signal() } }
    try addBlockingDisposers(processors + 1)
    for number in 0...processors {
      let failures = await failures { [container] in
        _ = try await container.release(
          Int.self, name: Name(number), disposing: true, timeLimit: .milliseconds(1))
      }
      XCTAssertEqual(failures.count, 1)
    }
    for _ in 0...processors {
      let failures = await failures { [container] in
        try await container.withScope(timeLimit: .milliseconds(1)) {
          _ = try $0.resolve(String.self)
        }
      }
      XCTAssertEqual(failures.count, 1)
    }
  }

  /// Threads that are blocked for ever are not made without end: what has none is omitted, and says
  /// why.
  func testWhatComesWhenAllThreadsForDisposersAreBlockedIsOmittedAndReported() async throws {
    // More than could be omitted because their threads began late.
    let extra = 16
    try addBlockingDisposers(LimitThreads.bound + extra)
    let failures = await failures { [container] in
      try await container.shutdown(timeLimit: .milliseconds(50))
    }
    XCTAssertEqual(failures.count, LimitThreads.bound + extra)
    // Others of the process may have left some blocked.
    let omitted = failures.filter { $0.error.isOmission }
    XCTAssertGreaterThanOrEqual(omitted.count, extra)
    XCTAssertLessThanOrEqual(log.entries.count, failures.count - omitted.count)
    XCTAssertEqual(
      omitted.last.map { "\($0.error)" },
      "not begun within 0.05 seconds: disposers that have timed out block all \(LimitThreads.bound) threads for them."
    )
  }

  func testAHandlerOfACancellationThatBlocksDoesNotHoldALimitUp() async throws {
    for number in 0..<3 {
      try container.register(Int.self, name: Name(number), scope: .singleton) { _ in number }
        .onDispose { [mayEnd] _ in
          let mayGoOn = AsyncGate()
          await withTaskCancellationHandler {
            await mayGoOn.wait()
          } onCancel: {
            mayEnd.wait()
            mayGoOn.open()
          }
        }
      _ = try container.resolve(Int.self, name: Name(number))
    }
    let failures = await failures { [container] in
      try await container.shutdown(timeLimit: .milliseconds(20))
    }
    XCTAssertEqual(failures.count, 3)
    for _ in 0..<3 { mayEnd.signal() }
  }

  // MARK: - A blocked pool

  func testACallerWithAThreadOfItsOwnComesBackWhileThePoolIsBlocked() throws {
    try add(A.self)
    _ = try container.resolve(NodeA.self)
    try addBlockingDisposers(1)
    try container.register(String.self, scope: .singleton) { _ in "" }
      .onDispose { [log] _ async in
        await Task.yield()
        log.add("asynchronous")
      }
    _ = try container.resolve(String.self)
    let open = container.makeScope()
    blockPool()
    let failures = try OwnThread().run { [container] in
      do {
        try await container.shutdown(
          draining: .milliseconds(20), timeLimit: .seconds(2), totalTimeLimit: .seconds(3600)
        )
        return [DisposalFailure]()
      } catch CloseError.drainingTimedOut(openScopes: 1, let failures) { return failures }
    }
    XCTAssertEqual(failures.map(\.key.description), ["Int named 0"])
    XCTAssertEqual(log.entries, ["asynchronous", "0", "A"])
    try open.syncClose()
  }

  func testAConstructionThatBlocksIsReportedWhileThePoolIsBlocked() throws {
    let isBuilding = DispatchSemaphore(value: 0)
    try container.register(String.self, scope: .singleton) { [mayEnd] _ in
      isBuilding.signal()
      mayEnd.wait()
      return "built"
    }.onDispose { [log] in log.add($0) }
    let resolving = JoinableThread { [container] in try container.resolve(String.self) }
    isBuilding.wait()
    blockPool()
    let error = try OwnThread().run { [container] in
      do {
        try await container.shutdown(timeLimit: .milliseconds(20))
        return ""
      } catch { return "\(error)" }
    }
    XCTAssertTrue(
      error.hasPrefix(
        """
        1 construction did not end in time.
        String: the construction had not ended after 0.02 seconds. The instance is disposed of when it has.
          registered at CorinthTests/BlockedThreadTests.swift:
        """), error)
    mayEnd.signal()
    _ = try resolving.join().get()
  }

  // MARK: - What disposers find

  @globalActor private actor Store {
    static let shared = Store()
  }

  @TaskLocal private static var label = "none"

  func testADisposerWithALimitFindsTheTaskLocalsThePriorityAndItsActor() async throws {
    try container.register(Int.self, scope: .singleton) { _ in 1 }
      .onDispose { [log] _ in
        log.add("\(Self.label) \(Task.currentPriority == .high)")
        log.add(await Task { "\(Self.label) \(Task.currentPriority == .high)" }.value)
      }
    try container.register(String.self, scope: .singleton) { _ in "" }
      .onDispose { @Store [log] _ async in
        Store.shared.preconditionIsolated()
        await Task.yield()
        log.add(Self.label)
      }
    _ = (try container.resolve(Int.self), try container.resolve(String.self))
    try await Self.$label.withValue("caller") {
      try await Task(priority: .high) { [container] in
        try await container.shutdown(timeLimit: .seconds(3600))
      }.value
    }
    XCTAssertEqual(log.entries, ["caller", "caller true", "caller true"])
  }

  /// A signal handler of the application must not run in the middle of a disposer's thread, and no
  /// thread but the application's is to be interrupted.
  func testThreadsOfDisposersBlockSignals() async throws {
    try container.register(Int.self, scope: .singleton) { _ in 1 }
      .onDispose { [log] _ in
        var mask = sigset_t()
        unsafe pthread_sigmask(SIG_BLOCK, nil, &mask)
        log.add(unsafe "\(sigismember(&mask, SIGTERM)) \(sigismember(&mask, SIGSEGV))")
      }
    _ = try container.resolve(Int.self)
    try await container.shutdown(timeLimit: .seconds(3600))
    XCTAssertEqual(log.entries, ["1 0"])
  }
}
