// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

final class RequestScopeTests: ContainerTestCase {
  private let journal = Journal()
  private let tracker = LifetimeTracker()

  private func registerScoped(
    _ name: String, needing dependencies: [String] = [], error: FixtureError? = nil
  ) throws {
    try container.register(Tracked.self, name: Name(name), scope: .scoped) {
      [tracker] resolver in
      for dependency in dependencies {
        _ = try resolver.resolve(Tracked.self, name: Name(dependency))
      }
      return tracker.make()
    }.onDispose { [journal] _ in
      journal.write(name)
      if let error { throw error }
    }
  }

  private func assertClosed(line: UInt = #line, _ resolve: () throws -> Any?) {
    XCTAssertThrowsError(try resolve(), line: line) { error in
      guard case ResolutionError.containerClosed = error else {
        return XCTFail("\(error)", line: line)
      }
    }
  }

  // MARK: - Closing

  func testInstancesAreDisposedOfInTheReverseOrderOfCompletion() throws {
    try registerScoped("inner")
    try registerScoped("outer", needing: ["inner"])
    try registerScoped("last")
    let scope = container.makeScope()
    _ = try scope.resolve(Tracked.self, name: "outer")
    _ = try scope.resolve(Tracked.self, name: "last")
    XCTAssertFalse(scope.isClosed)
    try scope.syncClose()
    XCTAssertTrue(scope.isClosed)
    XCTAssertEqual(journal.entries, ["last", "outer", "inner"])
    XCTAssertEqual(tracker.left, 0)
  }

  func testDisposersOfOneInstanceRunInReverse() throws {
    let journal = journal
    try container.register(Int.self, scope: .scoped) { _ in 1 }
      .onDispose { _ in journal.write("added first") }
      .onDispose { _ in journal.write("added last") }
    try container.syncWithScope { _ = try $0.resolve(Int.self) }
    XCTAssertEqual(journal.entries, ["added last", "added first"])
  }

  func testEveryDisposerRunsAndAllErrorsAreReported() throws {
    try registerScoped("a", error: FixtureError("a"))
    try registerScoped("b")
    try registerScoped("c", error: FixtureError("c"))
    let scope = container.makeScope()
    for name in ["a", "b", "c"] { _ = try scope.resolve(Tracked.self, name: Name(name)) }
    XCTAssertThrowsError(try scope.syncClose()) { error in
      guard case CloseError.disposalFailed(let failures) = error else {
        return XCTFail("\(error)")
      }
      XCTAssertEqual(failures.map { $0.error as? FixtureError }.map { $0?.reason }, ["c", "a"])
      XCTAssertEqual(failures.map(\.key.name), ["c", "a"])
    }
    XCTAssertEqual(journal.entries, ["c", "b", "a"])
    XCTAssertTrue(scope.isClosed)
    XCTAssertEqual(tracker.left, 0)
    try scope.syncClose()
    XCTAssertEqual(journal.entries.count, 3, "closing again does nothing")
  }

  func testWhatWasNotBuiltIsNotDisposedOf() throws {
    try registerScoped("a")
    try container.syncWithScope { _ in }
    let scope = container.makeScope()
    try container.register(Int.self, scope: .scoped) { _ in throw FixtureError("no") }
      .onDispose { _ in XCTFail("there is none") }
    XCTAssertThrowsError(try scope.resolve(Int.self))
    try scope.syncClose()
    XCTAssertEqual(journal.entries, [])
  }

  func testAScopeThatIsDroppedDisposesOfNothingAndKeepsNothing() throws {
    try registerScoped("a")
    do { _ = try container.makeScope().resolve(Tracked.self, name: "a") }
    XCTAssertEqual(tracker.left, 0)
    XCTAssertEqual(journal.entries, [])
  }

  /// A thread uses the memory of its scopes again.
  func testAScopeHasNothingOfThoseThatCameBefore() throws {
    try registerScoped("own")
    try container.registerInput(Int.self)
    let ends: [(Container) throws -> Void] = [
      { try $0.freeze() }, { try $0.register(String.self) { _ in "theirs" } },
      { try $0.makeScope().syncClose() }, { _ = $0.makeScope() },
      { _ = try? $0.resolve(String.self) }, { _ = $0.registrations },
    ]
    for end in ends + ends {
      for isClosed in [true, false] {
        do {
          let scope = container.makeScope(providing: 1)
          XCTAssertEqual(try scope.resolve(Int.self), 1)
          _ = try scope.resolve(Tracked.self, name: "own")
          try end(scope)
          if isClosed { try scope.syncClose() }
        }
        XCTAssertEqual(tracker.left, 0)
        let scope = container.makeScope()
        XCTAssertFalse(scope.isClosed || scope.isFrozen)
        XCTAssertThrowsError(try scope.resolve(Int.self))
        XCTAssertNil(try scope.resolveIfRegistered(String.self))
        XCTAssertTrue(scope.parent === container)
        let own = try scope.resolve(Tracked.self, name: "own")
        XCTAssertTrue(try scope.resolve(Tracked.self, name: "own") === own)
      }
    }
  }

  func testValuesAndObjectsAreDisposedOfInOneOrder() throws {
    let journal = journal
    try container.register(Int.self, scope: .scoped) { _ in 1 }.onDispose { journal.write("\($0)") }
    try registerScoped("a")
    try registerScoped("b")
    for reversed in [false, true] {
      let scope = container.makeScope()
      let first = Name(reversed ? "b" : "a")
      _ = try scope.resolve(Tracked.self, name: first)
      _ = try scope.resolve(Int.self)
      _ = try scope.resolve(Tracked.self, name: reversed ? "a" : "b")
      // Its store has the box of one from here on.
      _ = try scope.provider(for: Tracked.self, name: first)()
      try scope.syncClose()
    }
    XCTAssertEqual(journal.entries, ["b", "1", "a", "a", "1", "b"])
  }

  func testClosingAnInnerScopeLeavesTheOuterOne() throws {
    try registerScoped("a")
    let outer = container.makeScope()
    let inner = outer.makeScope()
    _ = try outer.resolve(Tracked.self, name: "a")
    _ = try inner.resolve(Tracked.self, name: "a")
    try inner.syncClose()
    XCTAssertEqual(journal.entries, ["a"])
    XCTAssertNotNil(try outer.resolve(Tracked.self, name: "a"))
    try outer.syncClose()
    XCTAssertEqual(journal.entries, ["a", "a"])
  }

  func testClosingAnOuterScopeEndsTheInnerOnes() throws {
    try registerScoped("a")
    let outer = container.makeScope()
    let inner = outer.makeScope()
    try outer.syncClose()
    assertClosed { try inner.resolve(Tracked.self, name: "a") }
    assertClosed { try Container(parent: outer).resolve(Tracked.self, name: "a") }
    try inner.syncClose()
  }

  // MARK: - Use after close

  func testNothingWorksAfterwards() throws {
    try registerScoped("a")
    try container.register(Int.self) { _ in 1 }
    try container.register(Int.self, name: "singleton", scope: .singleton) { _ in 1 }
    try container.register(Int.self, name: "arguments") { (_, value: Int) in value }
    let scope = container.makeScope()
    try scope.register(String.self) { _ in "own" }
    let providers = [
      try scope.provider(for: Int.self), try scope.provider(for: Int.self, name: "singleton"),
    ]
    for provider in providers { XCTAssertEqual(try provider(), 1) }
    try scope.syncClose()
    assertClosed { try scope.resolve(Int.self) }
    assertClosed { try scope.resolve(String.self) }
    assertClosed { try scope.resolve(Int.self, name: "singleton") }
    assertClosed { try scope.resolve(Int.self, name: "arguments", arguments: 1) }
    assertClosed { try scope.resolve(Tracked.self, name: "a") }
    assertClosed { try scope.resolveIfRegistered(Int.self) }
    assertClosed { try scope.resolveIfRegistered(Double.self) }
    assertClosed { try scope.withResolved(Int.self) { $0 } }
    assertClosed { try scope.provider(for: Int.self) }
    for provider in providers { assertClosed { try provider() } }
    assertClosed { try scope.makeScope().resolve(Int.self) }
    XCTAssertFalse(scope.contains(Int.self))
    XCTAssertThrowsError(try scope.register(Double.self) { _ in 1 }) { error in
      guard case RegistrationError.containerClosed = error else { return XCTFail("\(error)") }
    }
    XCTAssertEqual(try container.resolve(Int.self), 1)
  }

  func testAResolverKeptBeyondTheScopeFindsItClosed() throws {
    try container.register(Resolver.self) { $0 }
    try container.register(Int.self) { _ in 1 }
    let scope = container.makeScope()
    let resolver = try scope.resolve(Resolver.self)
    XCTAssertEqual(try resolver.resolve(Int.self), 1)
    try scope.syncClose()
    assertClosed { try resolver.resolve(Int.self) }
  }

  // MARK: - Asynchronous disposers

  func testAnAsynchronousDisposerNeedsAnAsynchronousClose() async throws {
    let journal = journal
    try registerScoped("synchronous")
    try container.register(Int.self, scope: .scoped) { _ in 1 }.onDispose { _ in
      await Task.yield()
      journal.write("asynchronous")
    }
    let scope = container.makeScope()
    _ = try scope.resolve(Int.self)
    _ = try scope.resolve(Tracked.self, name: "synchronous")
    XCTAssertThrowsError(try { try scope.syncClose() }()) { error in
      guard case CloseError.asyncCloseRequired(let keys) = error else {
        return XCTFail("\(error)")
      }
      XCTAssertEqual(keys.map(\.description), ["Int"])
    }
    XCTAssertFalse(scope.isClosed)
    XCTAssertEqual(journal.entries, [])
    XCTAssertEqual(try scope.resolve(Int.self), 1)
    try await scope.close()
    XCTAssertEqual(journal.entries, ["synchronous", "asynchronous"])
  }

  func testClosingInAnyWayAfterTheFirstReturns() async throws {
    let scope = container.makeScope()
    try { try scope.syncClose() }()
    try await scope.close()
    try await scope.shutdown()
    let other = container.makeScope()
    try await other.shutdown()
    try { try other.syncClose() }()
    try await other.close()
  }

  // MARK: - From within

  func testADisposerMayCloseItsScopeAndResolveElsewhere() throws {
    let (journal, container) = (journal, container)
    try container.register(String.self) { _ in "elsewhere" }
    let scope = container.makeScope()
    try scope.register(Int.self, scope: .scoped) { _ in 1 }.onDispose { [weak scope] _ in
      try scope?.syncClose()
      XCTAssertThrowsError(try scope?.resolve(Int.self))
      journal.write(try XCTUnwrap(scope?.parent).resolve(String.self))
    }
    _ = try scope.resolve(Int.self)
    try scope.syncClose()
    XCTAssertEqual(journal.entries, ["elsewhere"])
  }

  /// The one limit of closing: the closing cannot wait for the instance that it is a part of.
  func testAFactoryMayCloseItsScope() throws {
    let journal = journal
    let isDisposedOf = expectation(description: "it is disposed of when it is complete")
    try registerScoped("before")
    try container.register(Int.self, scope: .scoped) { resolver in
      _ = try resolver.resolve(Tracked.self, name: "before")
      try resolver.container.syncClose()
      return 1
    }.onDispose { _ in
      journal.write("closing")
      isDisposedOf.fulfill()
    }
    let scope = container.makeScope()
    XCTAssertEqual(try scope.resolve(Int.self), 1)
    XCTAssertTrue(scope.isClosed)
    // The closing cannot wait for the instance, which was never disposed of.
    wait(for: [isDisposedOf], timeout: hangLimit.inSeconds)
    XCTAssertEqual(journal.entries, ["before", "closing"])
    XCTAssertEqual(tracker.left, 0)
  }

  func testAnInstancesDeinitMayUseTheScope() throws {
    final class Nosy: Sendable {
      let scope: Container
      let journal: Journal
      init(_ scope: Container, _ journal: Journal) { (self.scope, self.journal) = (scope, journal) }
      deinit {
        do { _ = try scope.resolve(Nosy.self) } catch { journal.write("refused") }
        try? scope.syncClose()
      }
    }
    let journal = journal
    try container.register(Nosy.self, scope: .scoped) { Nosy(try $0.container, journal) }
    let scope = container.makeScope()
    _ = try scope.resolve(Nosy.self)
    try scope.syncClose()
    XCTAssertEqual(journal.entries, ["refused"])
  }
}
