// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

/// Disposers know how the work in their scope has ended.
final class ScopeOutcomeTests: ContainerTestCase {
  private final class Session: Sendable {}

  private let journal = Journal()

  private static func word(_ outcome: ScopeOutcome) -> String {
    switch outcome {
    case .completed: "commit"
    case .failed(let error): "roll back: \(error)"
    case .cancelled: "cancelled"
    case .interrupted: "interrupted"
    }
  }

  private func registerSession() throws {
    try container.register(Session.self, scope: .scoped) { _ in Session() }
      .onDispose { [journal] _, outcome in journal.write(Self.word(outcome)) }
  }

  private func registerAsyncSession() throws {
    try container.register(Session.self, scope: .scoped) { _ in Session() }
      .onDispose { [journal] _, outcome async in journal.write(Self.word(outcome)) }
  }

  func testABodyThatReturnsHasCompleted() async throws {
    try registerAsyncSession()
    try await container.withScope { scope in _ = try scope.resolve(Session.self) }
    XCTAssertEqual(journal.entries, ["commit"])
  }

  func testABodyThatThrowsHasFailed() async throws {
    try registerAsyncSession()
    do {
      try await container.withScope { scope in
        _ = try scope.resolve(Session.self)
        throw FixtureError("no money")
      }
      XCTFail("no error")
    } catch {
      XCTAssertEqual(error as? FixtureError, FixtureError("no money"))
    }
    XCTAssertEqual(journal.entries, ["roll back: \(FixtureError("no money"))"])
  }

  func testABodyThatIsCancelledIsNoFailure() async throws {
    try registerSession()
    let container = container
    let isResolved = AsyncGate()
    let request = Task {
      try await container.withScope { scope in
        _ = try scope.resolve(Session.self)
        isResolved.open()
        try await Task.sleep(for: .seconds(3600))
      }
    }
    await isResolved.wait()
    request.cancel()
    _ = await request.result
    XCTAssertEqual(journal.entries, ["cancelled"])
  }

  func testSynchronousScopesPassTheOutcomeToo() throws {
    try registerSession()
    try container.syncWithScope { _ = try $0.resolve(Session.self) }
    XCTAssertThrowsError(
      try container.syncWithScope { scope in
        _ = try scope.resolve(Session.self)
        throw CancellationError()
      })
    XCTAssertEqual(journal.entries, ["commit", "cancelled"])
  }

  func testAScopeIsClosedWithTheOutcomeThatItsUserSays() async throws {
    try registerSession()
    for outcome in [ScopeOutcome.completed, .cancelled, .failed(FixtureError("late"))] {
      let scope = container.makeScope()
      _ = try scope.resolve(Session.self)
      try await scope.close(after: outcome)
      let other = container.makeScope()
      _ = try other.resolve(Session.self)
      try await other.close(after: outcome)
    }
    let last = "roll back: \(FixtureError("late"))"
    XCTAssertEqual(journal.entries, ["commit", "commit", "cancelled", "cancelled", last, last])
  }

  func testAFailedDisposalDoesNotHideTheErrorOfTheBody() async throws {
    try container.register(Session.self, scope: .scoped) { _ in Session() }
      .onDispose { _ in throw FixtureError("cannot roll back") }
    func check(_ error: any Error, line: UInt = #line) throws {
      guard case CloseError.workFailed(let work, .disposalFailed(let failures)) = error else {
        return XCTFail("\(error)", line: line)
      }
      XCTAssertEqual(work as? FixtureError, FixtureError("no money"), line: line)
      XCTAssertEqual(failures.count, 1, line: line)
      let text = "\(error)"
      let first = try XCTUnwrap(text.range(of: "no money"), text, line: line)
      let second = try XCTUnwrap(text.range(of: "cannot roll back"), text, line: line)
      XCTAssertLessThan(first.lowerBound, second.lowerBound, line: line)
    }
    do {
      try await container.withScope { scope in
        _ = try scope.resolve(Session.self)
        throw FixtureError("no money")
      }
    } catch { try check(error) }
    do {
      try await container.withScope { scope in
        _ = try scope.resolve(Session.self)
        throw FixtureError("no money")
      }
    } catch { try check(error) }
  }

  func testDisposersWithAndWithoutTheOutcomeRunInTheReverseOrder() async throws {
    try container.register(Session.self, scope: .scoped) { _ in Session() }
      .onDispose { [journal] _ in journal.write("first") }
      .onDispose { [journal] _, _ in journal.write("second") }
      .onDispose { [journal] _ async in journal.write("third") }
      .onDispose { [journal] _, _ async in journal.write("fourth") }
    try await container.withScope { _ = try $0.resolve(Session.self) }
    XCTAssertEqual(journal.entries, ["fourth", "third", "second", "first"])
  }

  func testAClosingMayHaveATimeLimit() async throws {
    let release = AsyncGate()
    try container.register(Session.self, scope: .scoped) { _ in Session() }
      .onDispose { _ async in await release.wait() }
    let scope = container.makeScope()
    _ = try scope.resolve(Session.self)
    do {
      try await scope.close(timeLimit: .milliseconds(1))
      XCTFail("no error")
    } catch CloseError.disposalFailed(let failures) {
      XCTAssertTrue(failures.first?.error is TimeLimitExceeded)
    }
    release.open()
  }
}
