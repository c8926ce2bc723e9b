// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

private final class Session: Sendable {}
private final class Handler: Sendable {
  init(_ session: Session) {}
}
private final class Application: Sendable {
  init(_ handler: Handler) {}
}
private protocol Storage {}

/// The texts of what goes wrong with scopes, parents and forwarding.
final class ScopeErrorTests: ContainerTestCase {
  private func assertText(
    _ golden: String, line: UInt = #line, _ body: () throws -> Any?
  ) {
    XCTAssertThrowsError(try body(), line: line) { assertGolden(golden, "\($0)", line: line) }
  }

  @discardableResult
  private func registerSession(_ scope: AnyScope = .scoped) throws -> Registration<Session> {
    try container.register(
      Session.self, scope: scope, file: "App/Main.swift", line: 10
    ) { _ in Session() }
  }

  private func registerHandlers() throws {
    try registerSession()
    try container.register(Handler.self) { Handler(try $0.resolve(Session.self)) }
    try container.register(Application.self, scope: .singleton) {
      Application(try $0.resolve(Handler.self))
    }
  }

  // MARK: - Scopes

  func testAScopedInstanceOutsideOfAScope() throws {
    try registerHandlers()
    assertText("scope-required") { try container.resolve(Session.self) }
    assertText("scope-required-path") { try container.resolve(Handler.self) }
  }

  func testACaptiveDependency() throws {
    try registerHandlers()
    try container.register(Handler.self, name: "shared", scope: .singleton) {
      Handler(try $0.resolve(Session.self))
    }
    try container.syncWithScope { scope in
      assertText("captive") { try scope.resolve(Handler.self, name: "shared") }
    }
  }

  func testACaptiveDependencyThroughOthersAndAnotherThread() throws {
    try registerHandlers()
    try container.syncWithScope { scope in
      assertText("captive-path") { try scope.resolve(Application.self) }
    }
    try container.register(Handler.self) { resolver in
      try onThreads(1) { _ in Handler(try resolver.resolve(Session.self)) }[0]
    }
    try container.syncWithScope { scope in
      assertText("captive-path") { try scope.resolve(Application.self) }
    }
  }

  func testAClosedScope() throws {
    try registerSession()
    let scope = container.makeScope(file: "App/Main.swift", line: 30)
    try scope.syncClose(file: "App/Main.swift", line: 40)
    assertText("closed") { try scope.resolve(Session.self) }
    assertText("closed-registration") {
      try scope.register(Session.self, file: "App/Main.swift", line: 20) { _ in Session() }
    }
  }

  // MARK: - Closing

  func testDisposersThatFail() throws {
    try registerSession().onDispose { _ in throw FixtureError("still in use") }
    assertText("disposal-failed") {
      try container.syncWithScope { try $0.resolve(Session.self) }
    }
    try container.register(
      Int.self, name: "last", scope: .scoped, file: "App/Main.swift", line: 11
    ) { _ in 1 }.onDispose { _ in throw FixtureError("no answer") }
    assertText("disposal-failed-twice") {
      try container.syncWithScope { scope in
        (try scope.resolve(Session.self), try scope.resolve(Int.self, name: "last"))
      }
    }
  }

  func testAScopeThatHasToBeClosedAsynchronously() throws {
    try registerSession().onDispose { _ in await Task.yield() }
    let scope = container.makeScope()
    _ = try scope.resolve(Session.self)
    assertText("async-close-required") { try scope.syncClose() }
  }

  func testAContainerThatIsBeingClosedAsynchronously() {
    assertGolden("async-close-under-way", "\(CloseError.asyncCloseUnderWay)")
  }

  func testADisposerOfWhatTheContainerDoesNotKeep() throws {
    for (scope, golden) in [
      (AnyScope.transient, "disposal-refused"), (.weak, "disposal-refused-weak"),
    ] {
      try registerSession(scope).onDispose { _ in }
      assertText(golden) { try container.resolve(Session.self) }
    }
  }

  // MARK: - Parents

  func testANearMissInAnAncestorIsShown() throws {
    try container.register(
      Session.self, name: "main", file: "App/Main.swift", line: 10
    ) { _ in Session() }
    let child = Container(parent: Container(parent: container))
    try child.register(
      Session.self, name: "other", file: "App/Child.swift", line: 20
    ) { _ in Session() }
    assertText("missing-in-ancestors") { try child.resolve(Session.self) }
    let scope = child.makeScope()
    assertText("missing-in-ancestors") { try scope.resolve(Session.self) }
  }

  // MARK: - Forwarding

  func testAnInstanceThatIsNotOfTheTypeItIsServedUnder() throws {
    try registerSession(.singleton).implements((any Storage).self)
    assertText("does-not-implement") { try container.resolve((any Storage).self) }
  }

  func testAnAliasOfNothing() throws {
    try container.forward((any Storage).self, to: Session.self)
    assertText("alias-of-nothing") { try container.resolve((any Storage).self) }
  }

  func testAliasesThatGoRound() throws {
    try container.forward((any Storage).self, to: Session.self)
    try container.forward(Session.self, to: (any Storage).self)
    assertText("alias-cycle") { try container.resolve((any Storage).self) }
  }
}
