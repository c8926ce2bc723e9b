// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

/// What callers see when a construction fails that another thread has got an early reference from.
///
/// The action of `Server` has another thread resolve `Client` through its resolver, fails once
/// `Client`'s factory has `Server`, and does not fail again.
final class RetryAfterFailureTests: AsyncTestCase {
  private let server: Name = "server"
  private let client: Name = "client"
  private let log = EventLog()
  private let tracker = LifetimeTracker()
  private let isLent = Barrier(2)
  private let hasFailed = Barrier(2)
  private let runs = AtomicCounter()

  override func tearDown() {
    super.tearDown()
    settleReclamation()
    XCTAssertEqual(tracker.alive, 0)
  }

  /// - Parameters:
  ///   - beforeFailure: what `Client`'s factory does in its first run, when it has `Server`.
  ///   - afterFailure: the same when `Server` has failed.
  private func register(
    beforeFailure: @escaping @Sendable (Resolver) throws -> Void = { _ in },
    afterFailure: @escaping @Sendable (Resolver) throws -> Void,
    inNextRun: @escaping @Sendable (Resolver) throws -> Void
  ) throws {
    let (server, runs, tracker) = (server, runs, tracker)
    try container.register(Tracked.self, name: server, scope: .singleton) { _ in tracker.make() }
      .afterInit { [client, threads, isLent] resolver, _ in
        guard runs.value == 0 else { return }
        threads.start { _ = try resolver.resolve(Tracked.self, name: client) }
        isLent.wait()
        throw FixtureError("server")
      }
    try container.register(Tracked.self, name: client, scope: .singleton) {
      [isLent, hasFailed] resolver in
      let isFirst = runs.add() == 1
      _ = try resolver.resolve(Tracked.self, name: server)
      if isFirst {
        try beforeFailure(resolver)
        isLent.wait()
        hasFailed.wait()
        try afterFailure(resolver)
      } else {
        try inNextRun(resolver)
      }
      return tracker.make()
    }
  }

  /// The threads that factories leave behind.
  private final class Threads: @unchecked Sendable {
    // SAFETY: only touched with the lock held.
    private var all: [JoinableThread<Void>] = []
    private let lock = NSLock()

    func start(_ body: @escaping @Sendable () throws -> Void) {
      let thread = JoinableThread(body)
      lock.withLock { all.append(thread) }
    }

    func join() -> [Result<Void, any Error>] {
      let joined = lock.withLock {
        defer { all = [] }
        return all
      }
      return joined.map { $0.join() }
    }
  }
  private let threads = Threads()

  private func failServer() {
    XCTAssertThrowsError(try container.resolve(Tracked.self, name: server)) { error in
      XCTAssertTrue((error as? ResolutionError)?.underlyingError is FixtureError, "\(error)")
    }
    hasFailed.wait()
  }

  /// What it asked for would be built for nothing, and its failure would be the error of an
  /// innocent caller.
  func testAFactoryThatCannotSucceedAnyMoreBeginsNothing() throws {
    let log = log
    try container.register(Int.self, scope: .singleton) { _ in
      log.add("begun")
      throw FixtureError("not yet")
    }
    try register(
      afterFailure: { resolver in _ = try resolver.resolve(Int.self) },
      inNextRun: { _ in log.add("next run") })
    failServer()
    for result in threads.join() { XCTAssertNoThrow(try result.get()) }
    XCTAssertEqual(log.entries, ["next run"])
  }

  /// `Client`'s factory leaves a thread behind that resolves `inner` through its resolver. That
  /// gives up with `Client`. When its thread goes on, `Client`'s first run is over: there is
  /// nothing that would keep it from beginning again.
  func testAResolveThatGaveUpWithAConstructionAroundItBeginsAgainWithoutThat() throws {
    let (log, tracker, threads) = (log, tracker, threads)
    let (hasBegun, mayGiveUp, hasGivenUp, isOver) = (Barrier(2), Barrier(2), Barrier(2), Barrier(2))
    let innerRuns = AtomicCounter()
    try container.register(Int.self, scope: .singleton) { _ in 7 }
    try container.register(Tracked.self, name: "inner", scope: .singleton) { resolver in
      if innerRuns.add() > 1 { return tracker.make() }
      hasBegun.wait()
      mayGiveUp.wait()
      XCTAssertThrowsError(try resolver.resolve(Int.self))
      hasGivenUp.wait()
      isOver.wait()
      throw FixtureError("gave up")
    }
    try register(
      beforeFailure: { resolver in
        threads.start {
          _ = try resolver.resolve(Tracked.self, name: "inner")
          log.add("inner resolved")
        }
        hasBegun.wait()
      },
      afterFailure: { _ in
        mayGiveUp.wait()
        hasGivenUp.wait()
      },
      inNextRun: { _ in isOver.wait() })
    failServer()
    for result in threads.join() { XCTAssertNoThrow(try result.get()) }
    XCTAssertEqual(log.entries, ["inner resolved"])
    XCTAssertEqual(innerRuns.value, 2)
  }
}
