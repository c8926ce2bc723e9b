// SPDX-License-Identifier: MIT

import Corinth
import Dispatch
import TestSupport
import XCTest

final class WithScopeTests: ContainerTestCase {
  private let journal = Journal()

  private func registerScoped(_ name: String, error: FixtureError? = nil) throws {
    try container.register(Int.self, name: Name(name), scope: .scoped) { _ in 1 }
      .onDispose { [journal] _ in
        journal.write(name)
        if let error { throw error }
      }
  }

  func testWithScopeClosesAfterTheBody() throws {
    try registerScoped("a")
    var scope: Container?
    let result = try container.syncWithScope {
      scope = $0
      return try $0.resolve(Int.self, name: "a")
    }
    XCTAssertEqual(result, 1)
    XCTAssertEqual(scope?.isClosed, true)
    XCTAssertEqual(journal.entries, ["a"])
  }

  func testWithScopeThrowsTheBodysErrorFirst() throws {
    try registerScoped("a", error: FixtureError("disposer"))
    XCTAssertThrowsError(
      try container.syncWithScope { scope in
        _ = try scope.resolve(Int.self, name: "a")
        throw FixtureError("body")
      }
    ) { XCTAssertEqual($0.workError as? FixtureError, FixtureError("body")) }
    XCTAssertThrowsError(
      try container.syncWithScope { _ = try $0.resolve(Int.self, name: "a") }
    ) { XCTAssertTrue($0 is CloseError) }
    XCTAssertEqual(journal.entries, ["a", "a"])
  }

  func testTheBodyMayCloseTheScope() throws {
    try registerScoped("a")
    try container.syncWithScope { scope in
      _ = try scope.resolve(Int.self, name: "a")
      try scope.syncClose()
    }
    XCTAssertEqual(journal.entries, ["a"])
  }

  /// Nobody else could close the scope any more: it is handed over to a task.
  func testASynchronousWithScopeHandsAsynchronousDisposersOver() throws {
    let disposed = DispatchSemaphore(value: 0)
    try container.register(Int.self, scope: .scoped) { _ in 1 }.onDispose { _ in
      await Task.yield()
      disposed.signal()
    }
    for bodyFails in [false, true] {
      XCTAssertThrowsError(
        try container.syncWithScope { scope in
          _ = try scope.resolve(Int.self)
          if bodyFails { throw FixtureError("body") }
        }
      ) { error in
        if bodyFails {
          return XCTAssertEqual(
            error.workError as? FixtureError, FixtureError("body"))
        }
        guard case CloseError.asyncCloseRequired = error else { return XCTFail("\(error)") }
      }
      disposed.wait()
    }
  }

  func testWithScopeClosesAsynchronously() async throws {
    let journal = journal
    try registerScoped("synchronous")
    try container.register(Int.self, scope: .scoped) { _ in 1 }.onDispose { _ in
      await Task.yield()
      journal.write("asynchronous")
    }
    let scope = try await container.withScope { scope in
      await Task.yield()
      _ = try scope.resolve(Int.self)
      _ = try scope.resolve(Int.self, name: "synchronous")
      return scope
    }
    XCTAssertTrue(scope.isClosed)
    XCTAssertEqual(journal.entries, ["synchronous", "asynchronous"])
    do {
      try await container.withScope { scope in
        await Task.yield()
        _ = try scope.resolve(Int.self)
        throw FixtureError("body")
      }
      XCTFail("no error")
    } catch {
      XCTAssertEqual(error as? FixtureError, FixtureError("body"))
    }
    XCTAssertEqual(journal.entries.count, 3)
  }

  /// Its body awaits nothing; what it resolved may have to be disposed of asynchronously all the
  /// same.
  func testInATaskWithScopeClosesAsynchronouslyWhateverItsBodyIs() async throws {
    let journal = journal
    try container.register(Int.self, scope: .scoped) { _ in 1 }.onDispose { _ in
      await Task.yield()
      journal.write("disposed")
    }
    let resolved = try await container.withScope { scope in try scope.resolve(Int.self) }
    XCTAssertEqual(resolved, 1)
    XCTAssertEqual(journal.entries, ["disposed"])
  }

  /// They ran in the caller's task and saw its cancellation, unless the scope had an asynchronous
  /// disposer or a time limit.
  func testTheCancellationOfTheCallerDoesNotReachSynchronousDisposers() async throws {
    let (container, journal) = (container, journal)
    try container.register(Int.self, scope: .scoped) { _ in 1 }.onDispose { _ in
      try Task.checkCancellation()
      journal.write("committed")
    }
    let task = Task {
      try await container.withScope { scope in
        _ = try scope.resolve(Int.self)
        unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      }
    }
    try await task.value
    XCTAssertEqual(journal.entries, ["committed"])
  }

  @MainActor func testSynchronousDisposersRunOnTheCallersActorAlsoIfThatIsCancelled() async throws {
    let (container, journal) = (container, journal)
    try container.register(Int.self, scope: .scoped) { _ in 1 }.onDispose { _ in
      MainActor.assumeIsolated { journal.write("disposed") }
    }
    let task = Task { @MainActor in
      try await container.withScope { scope in
        _ = try scope.resolve(Int.self)
        unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      }
    }
    try await task.value
    XCTAssertEqual(journal.entries, ["disposed"])
  }

  func testWithScopeClosesWhenItsTaskIsCancelled() async throws {
    let (container, journal) = (container, journal)
    try container.register(Int.self, scope: .scoped) { _ in 1 }.onDispose { _ in
      await Task.yield()
      journal.write("disposed")
    }
    let task = Task {
      try await container.withScope { scope in
        _ = try scope.resolve(Int.self)
        unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
        await Task.yield()
        try Task.checkCancellation()
      }
    }
    let result = await task.result
    XCTAssertThrowsError(try result.get()) { XCTAssertTrue($0 is CancellationError) }
    XCTAssertEqual(journal.entries, ["disposed"])
  }
}
