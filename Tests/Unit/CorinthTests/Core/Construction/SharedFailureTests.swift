// SPDX-License-Identifier: MIT

import TestSupport
import XCTest

@testable import Corinth

/// The callers that wait for a construction which fails.
///
/// Each of them used to begin anew: of 100 that waited for an attempt of 20 ms, the last one had
/// its error after two seconds.
final class SharedFailureTests: AsyncTestCase {
  private struct Failure: Error, Equatable { let attempt: Int }

  private let attempts = AtomicCounter()

  /// The number of resolves that wait for the construction which the caller runs.
  private static var waiters: Int {
    let construction = ResolutionContext.current?.asConstruction
    return WaitForGraph.withLock { _ in construction?.links.waiters.count ?? 0 }
  }

  /// Runs each attempt as `body` says, once as many resolves wait for it as `expected` has at its
  /// index.
  private func registerAsync(
    waitingFor expected: [Int], _ body: @escaping @Sendable (Int) throws -> Int
  ) throws {
    try container.registerAsync(Int.self, scope: .singleton) { [attempts] _ in
      let attempt = attempts.add()
      while attempt <= expected.count, Self.waiters < expected[attempt - 1] { await Task.yield() }
      return try body(attempt)
    }
  }

  private func resolveInTasks(_ count: Int) async -> [Result<Int, any Error>] {
    let tasks = (0..<count).map { _ in
      Task { [container] in try await container.resolveAsync(Int.self) }
    }
    var results: [Result<Int, any Error>] = []
    for task in tasks { results.append(await task.result) }
    return results
  }

  private func failedAttempts(of results: [Result<Int, any Error>]) -> [Int] {
    results.compactMap { result in
      guard case .failure(let error as ResolutionError) = result else { return nil }
      return (error.underlyingError as? Failure)?.attempt
    }.sorted()
  }

  func testThoseWhoHaveWaitedSinceBeforeAnAttemptShareItsError() async throws {
    try registerAsync(waitingFor: [100, 99]) { throw Failure(attempt: $0) }
    let results = await resolveInTasks(100)
    XCTAssertEqual(failedAttempts(of: results), [1] + Array(repeating: 2, count: 99))
    XCTAssertEqual(attempts.value, 2)
  }

  func testOneWhoComesDuringAnAttemptBeginsAnother() async throws {
    try registerAsync(waitingFor: [2]) { attempt in
      if attempt == 1 { throw Failure(attempt: 1) }
      return attempt
    }
    let results = await resolveInTasks(2)
    XCTAssertEqual(failedAttempts(of: results), [1])
    XCTAssertEqual(results.compactMap { try? $0.get() }, [2])
  }

  func testOneWhoComesAfterAFailureBeginsAnother() async throws {
    try registerAsync(waitingFor: []) { attempt in
      if attempt < 3 { throw Failure(attempt: attempt) }
      return attempt
    }
    let first = await resolveInTasks(1)
    let second = await resolveInTasks(1)
    let third = await resolveInTasks(1)
    XCTAssertEqual(failedAttempts(of: first + second), [1, 2])
    XCTAssertEqual(third.compactMap { try? $0.get() }, [3])
  }

  /// Nobody has cancelled anything: 100 waiters once made 100 attempts.
  func testACancellationErrorThatAFactoryThrowsIsSharedLikeOthers() async throws {
    try registerAsync(waitingFor: [3, 2]) { attempt in
      switch attempt {
      case 1: throw Failure(attempt: 1)
      case 2: throw CancellationError()
      default: return attempt
      }
    }
    let results = await resolveInTasks(3)
    XCTAssertEqual(failedAttempts(of: results), [1])
    XCTAssertEqual(results.compactMap { try? $0.get() }, [])
    XCTAssertEqual(attempts.value, 2)
  }

  /// A closing once took the failure for the end of the construction. What the next attempt built
  /// was never disposed of.
  func testAClosingWaitsForTheAttemptAfterAFailure() async throws {
    for _ in 0..<20 {
      let container = Container()
      let (attempts, built, disposed) = (AtomicCounter(), AtomicCounter(), AtomicCounter())
      let bothResolvesWait = AtomicCounter()
      try container.registerAsync(Int.self, scope: .singleton) { _ in
        let attempt = attempts.add()
        if attempt > 1 { return built.add() }
        while Self.waiters < 2 { await Task.yield() }
        bothResolvesWait.add()
        while Self.waiters < 3 { await Task.yield() }
        throw Failure(attempt: attempt)
      }.onDispose { _ in disposed.add() }
      let resolves = (0..<2).map { _ in
        Task { try await container.resolveAsync(Int.self) }
      }
      // A resolve that came after the beginning of the shutdown would be refused, and not wait.
      while bothResolvesWait.value == 0 { await Task.yield() }
      try await container.shutdown()
      for resolve in resolves { _ = await resolve.result }
      XCTAssertEqual(disposed.value, built.value)
    }
  }
}
