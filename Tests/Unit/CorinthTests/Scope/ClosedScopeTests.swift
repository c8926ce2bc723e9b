// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

#if DEBUG
  private final class Pool: Sendable {}

  /// The error of a closed scope did not lead to the scope: neither to the line that made it, nor
  /// to the one that closed it.
  final class ClosedScopeTests: XCTestCase {
    private let container = Container()

    override func setUp() async throws {
      try container.register(Pool.self, scope: .scoped) { _ in Pool() }
    }

    private func hint(of scope: Container) -> String {
      do {
        _ = try scope.resolve(Pool.self)
        return "resolved"
      } catch { return "\(error)" }
    }

    func testTheErrorNamesTheCallsThatMadeAndClosedTheScope() async throws {
      let scope = container.makeScope(file: "App/A.swift", line: 1)
      try await scope.close(file: "App/B.swift", line: 2)
      XCTAssertTrue(
        hint(of: scope).contains("made at App/A.swift:1, has been closed at App/B.swift:2:"))
    }

    func testTheFirstCallThatClosesIsNamed() async throws {
      let scope = container.makeScope()
      try await scope.close(file: "App/B.swift", line: 2)
      try await scope.close(file: "App/C.swift", line: 3)
      XCTAssertTrue(hint(of: scope).contains("closed at App/B.swift:2:"))
    }

    func testACallThatLeavesTheScopeOpenIsNotNamed() async throws {
      try container.register(
        Pool.self, name: "async", scope: .scoped, with: .onDispose { _ in await Task.yield() }
      ) { _ in Pool() }
      let scope = container.makeScope()
      _ = try scope.resolve(Pool.self, name: "async")
      func closeAtOnce() {
        XCTAssertThrowsError(try scope.syncClose(file: "App/B.swift", line: 2)) {
          XCTAssertTrue($0.is(CloseError.asyncCloseRequired))
        }
      }
      closeAtOnce()
      try await scope.close(file: "App/C.swift", line: 3)
      XCTAssertTrue(hint(of: scope).contains("closed at App/C.swift:3:"))
    }

    func testAScopeOfWithScopeIsNamedByItsLine() async throws {
      var stored: Container?
      try await container.withScope(file: "App/A.swift", line: 1) { scope in stored = scope }
      let text = hint(of: try XCTUnwrap(stored))
      XCTAssertTrue(text.contains("made at App/A.swift:1, has been closed: resolve"), text)
    }

    func testTheMemoryOfAScopeThatIsUsedAgainRemembersNoCall() async throws {
      for _ in 0..<8 {
        let scope = container.makeScope()
        _ = try scope.resolve(Pool.self)
        try await scope.close(file: "App/B.swift", line: 2)
      }
      var stored: Container?
      try await container.withScope { stored = $0 }
      XCTAssertFalse(hint(of: try XCTUnwrap(stored)).contains("App/B.swift"))
    }

    func testManyThreadsThatCloseAreNamedAsWholes() throws {
      let scopes = (0..<200).map { _ in container.makeScope() }
      _ = try onThreads(2) { thread in
        for scope in scopes {
          if thread == 0 {
            try scope.syncClose(file: "App/B.swift", line: 2)
          } else {
            try scope.syncClose(file: "App/C.swift", line: 3)
          }
        }
      }
      for scope in scopes {
        let text = hint(of: scope)
        XCTAssertTrue(
          text.contains("closed at App/B.swift:2:") || text.contains("closed at App/C.swift:3:"),
          text)
      }
    }
  }
#endif
