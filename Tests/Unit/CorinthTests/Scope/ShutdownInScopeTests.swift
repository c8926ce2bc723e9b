// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

private func assertRefused(
  at line: UInt, _ shutdown: nonisolated(nonsending) () async throws -> Void
) async {
  do {
    try await shutdown()
    XCTFail("The shutdown has not thrown.")
  } catch CloseError.shutdownInScope(let location) {
    XCTAssertEqual(location.line, line)
  } catch { XCTFail("\(error)") }
}

/// A shutdown that the work of a scope called waited for that work, until the time for draining had
/// passed.
final class ShutdownInScopeTests: XCTestCase {
  private let container = Container()
  /// Passes only if a shutdown waits for its caller.
  private let draining = Duration.seconds(600)

  /// Checks that the container is as before.
  private func assertOpen() async throws {
    try await container.withScope { scope in XCTAssertFalse(scope.isClosed) }
    XCTAssertFalse(container.isClosed)
    try await container.shutdown(draining: draining)
  }

  #if DEBUG
    func testTheWorkOfAScopeIsToldAtOnceWithTheLineOfTheScope() async throws {
      try await container.withScope(file: "App/A.swift", line: 7) { [container, draining] _ in
        await assertRefused(at: 7) { try await container.shutdown(draining: draining) }
      }
      try await assertOpen()
    }

    func testNestedScopesAndChildrenAreFound() async throws {
      let child = Container(parent: container)
      try await child.withScope(file: "App/A.swift", line: 1) { [container, draining] scope in
        try await scope.withScope(file: "App/A.swift", line: 2) { _ in
          await assertRefused(at: 2) { try await container.shutdown(draining: draining) }
          await assertRefused(at: 2) { try await scope.shutdown(draining: draining) }
        }
        await assertRefused(at: 1) { try await container.shutdown(draining: draining) }
      }
      try await assertOpen()
    }

    func testTheErrorSaysWhatToDo() async throws {
      do {
        try await container.withScope(file: "App/A.swift", line: 7) { [container, draining] _ in
          try await container.shutdown(draining: draining)
        }
        XCTFail("The shutdown has not thrown.")
      } catch let error as CloseError {
        XCTAssertEqual(
          "\(error)",
          """
          The container cannot be shut down by the work of a request scope whose end the shutdown would wait for. Nothing was closed.
            the scope was made at App/A.swift:7
            hint: shut down after `withScope` has returned, or in a task that the work does not await.
          """)
      }
    }
  #endif

  func testATrackedScopeIsFoundInAnyBuild() async throws {
    container.tracksScopes = true
    try await container.withScope(file: "App/A.swift", line: 9) { [container, draining] _ in
      await assertRefused(at: 9) { try await container.shutdown(draining: draining) }
    }
    try await assertOpen()
  }

  func testATaskThatTheWorkDoesNotAwaitShutsDown() async throws {
    let task = try await container.withScope { [container, draining] _ in
      Task { try await container.shutdown(draining: draining) }
    }
    try await task.value
    XCTAssertTrue(container.isClosed)
  }

  func testAShutdownThatDoesNotDrainIsNotRefused() async throws {
    try await container.withScope { [container] _ in try await container.shutdown() }
    XCTAssertTrue(container.isClosed)
  }

  func testAShutdownWithoutTimeForDrainingIsNotRefused() async throws {
    try await container.withScope { [container] _ in
      do { try await container.shutdown(draining: .zero) } catch {
        XCTAssertTrue(error.is(CloseError.drainingTimedOut))
      }
    }
    XCTAssertTrue(container.isClosed)
  }

  func testTheWorkOfAScopeOfAnotherContainerShutsDown() async throws {
    let other = Container()
    try await other.withScope { [container, draining] _ in
      try await container.shutdown(draining: draining)
    }
    XCTAssertTrue(container.isClosed)
  }

  func testWorkThatHasClosedItsScopeShutsDown() async throws {
    try await container.withScope { [container, draining] scope in
      try await scope.close()
      try await container.shutdown(draining: draining)
    }
    XCTAssertTrue(container.isClosed)
  }

  func testTheCallerOfAScopeThatHasEndedShutsDown() async throws {
    try await container.withScope { _ in }
    try await container.shutdown(draining: draining)
    XCTAssertTrue(container.isClosed)
  }
}
