// SPDX-License-Identifier: MIT

import TestSupport
import XCTest

@testable import Corinth

private final class Session: Sendable {}

private protocol Stored: AnyObject, Sendable {}
extension Session: Stored {}

private struct Value: Sendable { let session = 1 }

/// A class whose instances its scope keeps in a store, as they have arguments.
private final class Tenant: Sendable {
  init(_: Int) {}
}

final class TrackedScopeTests: AsyncTestCase {
  private let reports = Locked<[UndisposedReport]>([])
  private var former: (@Sendable (UndisposedReport) -> Void)?

  override func setUp() {
    super.setUp()
    former = Container.onOutlivedScope
    OutlivingInstances.delay = .milliseconds(20)
    Container.onOutlivedScope = { [reports] report in reports.withLock { $0.append(report) } }
    container.tracksScopes = true
  }

  override func tearDown() {
    Container.onOutlivedScope = former
    OutlivingInstances.delay = .seconds(5)
    reports.withLock { $0 = [] }
    super.tearDown()
  }

  /// The reports, once all that has been let go of has been looked at.
  private func allReports() async throws -> [UndisposedReport] {
    while OutlivingInstances.areWatched { try await Task.sleep(for: .milliseconds(1)) }
    return reports.withLock { $0 }
  }

  private func close(_ scope: Container) {
    XCTAssertNoThrow(try scope.syncClose())
  }

  // MARK: - Ages and lines

  func testNothingIsListedUnlessItIsOn() throws {
    let container = Container()
    XCTAssertFalse(container.tracksScopes)
    let scope = container.makeScope()
    XCTAssertEqual(container.statistics.openScopesByAge, [])
    XCTAssertEqual(container.statistics.untrackedScopes, 1)
    container.tracksScopes = true
    XCTAssertTrue(container.tracksScopes)
    let tracked = container.makeScope()
    XCTAssertEqual(container.statistics.openScopesByAge.count, 1)
    XCTAssertEqual(container.statistics.untrackedScopes, 1)
    container.tracksScopes = false
    let last = container.makeScope()
    XCTAssertEqual(container.statistics.openScopesByAge.count, 1)
    XCTAssertEqual(container.statistics.untrackedScopes, 2)
    for scope in [scope, tracked, last] { try scope.syncClose() }
    XCTAssertEqual(container.statistics.openScopesByAge, [])
    XCTAssertEqual(container.statistics.untrackedScopes, 0)
  }

  func testTheOldestComesFirstWithItsLine() throws {
    let first = container.makeScope(line: 1)
    let second = container.makeScope(line: 2)
    let third = container.makeScope(line: 3)
    let statistics = container.statistics
    XCTAssertEqual(statistics.openScopesByAge.map(\.location.line), [1, 2, 3])
    XCTAssertEqual(
      statistics.openScopesByAge.map(\.age).sorted(by: >), statistics.openScopesByAge.map(\.age))
    XCTAssertEqual(statistics.untrackedScopes, 0)
    close(first)
    XCTAssertEqual(container.statistics.openScopesByAge.map(\.location.line), [2, 3])
    [second, third].forEach(close)
  }

  func testAScopeForAClosureHasTheLineOfItsCall() async throws {
    let container = container
    @Sendable func location() -> SourceLocation? {
      container.statistics.openScopesByAge.first?.location
    }
    func useThread() throws {
      let line: UInt = #line + 1
      try container.syncWithScope { _ in XCTAssertEqual(location()?.line, line) }
    }
    try useThread()
    let line: UInt = #line + 1
    try await container.withScope { _ in
      XCTAssertEqual(location()?.line, line)
      XCTAssertTrue("\(location()!)".contains("TrackedScopeTests"))
    }
    XCTAssertNil(location())
  }

  func testScopesWithinScopesAreListed() throws {
    let outer = container.makeScope(line: 1)
    let inner = outer.makeScope(line: 2)
    XCTAssertEqual(container.statistics.openScopesByAge.map(\.location.line), [1, 2])
    XCTAssertEqual(container.statistics.untrackedScopes, 0)
    [inner, outer].forEach(close)
    XCTAssertEqual(container.statistics.openScopes, 0)
  }

  func testAScopeThatIsDroppedIsNotListed() throws {
    do { _ = container.makeScope() }
    XCTAssertEqual(container.statistics.openScopesByAge, [])
    XCTAssertEqual(container.statistics.openScopes, 0)
  }

  func testForksAndChildrenHaveTheirOwnSwitch() throws {
    let fork = container.fork()
    XCTAssertFalse(fork.tracksScopes)
    let scope = fork.makeScope()
    XCTAssertEqual(fork.statistics.openScopesByAge, [])
    XCTAssertEqual(fork.statistics.untrackedScopes, 1)
    let child = Container(parent: container)
    XCTAssertFalse(child.tracksScopes)
    let below = child.makeScope()
    XCTAssertEqual(container.statistics.untrackedScopes, 1)
    [scope, below].forEach(close)
  }

  func testADrainThatWaitsForTrackedScopesEnds() async throws {
    let container = container
    let scope = container.makeScope()
    let shutdown = Task { try await container.shutdown(draining: .seconds(3600)) }
    while !container.statistics.isDraining { await Task.yield() }
    let refused = container.makeScope()
    XCTAssertEqual(container.statistics.openScopesByAge.count, 1, "a refused one is not open")
    XCTAssertTrue(refused.isClosed)
    try await scope.close()
    try await shutdown.value
    XCTAssertEqual(container.statistics.openScopesByAge, [])
  }

  func testMemoryOfTrackedScopesIsNotUsedAgain() throws {
    for _ in 0..<4 { try container.syncWithScope { _ in } }
    container.tracksScopes = false
    for _ in 0..<4 {
      try container.syncWithScope { scope in
        XCTAssertEqual(container.statistics.openScopesByAge, [])
        XCTAssertEqual(container.statistics.untrackedScopes, 1)
        XCTAssertNil(scope.registry.extrasIfMade)
      }
    }
  }

  func testAScopeWithoutWrappedTypesResolvesAsBefore() throws {
    try container.register(Session.self, scope: .scoped) { _ in Session() }
    try container.syncWithScope { scope in
      XCTAssertTrue(try scope.resolve(Session.self) === scope.resolve(Session.self))
      XCTAssertThrowsError(try scope.resolve(Int.self)) {
        XCTAssertTrue($0.is(.noRegistrationFound))
      }
      XCTAssertNil(try scope.resolveIfRegistered(String.self))
    }
  }

  // MARK: - Leaks

  func testASessionInAGlobalIsReportedWithItsLine() async throws {
    let kept = Locked<Session?>(nil)
    let registration = try container.register(Session.self, scope: .scoped) { _ in Session() }
    let line: UInt = #line + 1
    try await container.withScope { scope in
      let session = try scope.resolve(Session.self)
      kept.withLock { $0 = session }
    }
    let found = try await allReports()
    XCTAssertEqual(found.flatMap(\.instances).map(\.key), [registration.key])
    XCTAssertEqual(found.first?.instances.first?.location, registration.location)
    guard case .scopeOutlived(let location)? = found.first?.cause else {
      return XCTFail("\(found)")
    }
    XCTAssertEqual(location.line, line)
    XCTAssertTrue(found.first?.description.contains("\(registration.location)") ?? false)
    XCTAssertNotNil(kept.withLock { $0 })
  }

  func testOneThatIsLetGoOfIsNot() async throws {
    try container.register(Session.self, scope: .scoped) { _ in Session() }
    try container.register(Value.self, scope: .scoped) { _ in Value() }
    try await container.withScope { scope in
      _ = try scope.resolve(Session.self)
      _ = try scope.resolve(Value.self)
    }
    let found = try await allReports()
    XCTAssertEqual(found.count, 0)
  }

  func testOnesWithDisposersArgumentsAndProtocolsAreReported() async throws {
    let kept = Locked<[any AnyObject & Sendable]>([])
    try container.register(Session.self, scope: .scoped) { _ in Session() }.onDispose { _ in }
    try container.register((any Stored).self, scope: .scoped) { _ in Session() }
    try container.register(Tenant.self, scope: .scoped) { (_, number: Int) in Tenant(number) }
    try await container.withScope { scope in
      let instances: [any AnyObject & Sendable] = [
        try scope.resolve(Session.self), try scope.resolve((any Stored).self),
        try scope.resolve(Tenant.self, arguments: 1),
      ]
      kept.withLock { $0 = instances }
    }
    let found = try await allReports()
    XCTAssertEqual(found.count, 1, "one for the scope")
    XCTAssertEqual(found.first?.instances.count, 3)
    kept.withLock { $0 = [] }
  }

  func testAnUntrackedScopeIsNotReported() async throws {
    let kept = Locked<Session?>(nil)
    container.tracksScopes = false
    try container.register(Session.self, scope: .scoped) { _ in Session() }
    try await container.withScope { scope in
      let session = try scope.resolve(Session.self)
      kept.withLock { $0 = session }
    }
    let found = try await allReports()
    XCTAssertEqual(found.count, 0)
    kept.withLock { $0 = nil }
  }

  // MARK: - Concurrency

  func testThreadsLeaveNothingBehind() async throws {
    let container = container
    try container.register(Session.self, scope: .scoped) { _ in Session() }
    try onThreads(8) { index in
      for number in 0..<2000 {
        if number % 2 == 0 {
          try container.syncWithScope { _ = try $0.resolve(Session.self) }
        } else {
          let scope = container.makeScope()
          _ = try scope.resolve(Session.self)
          if number % 4 == 1 { try scope.syncClose() }
        }
      }
    }
    XCTAssertEqual(container.statistics.openScopesByAge, [])
    XCTAssertEqual(container.statistics.openScopes, 0)
    XCTAssertEqual(container.statistics.untrackedScopes, 0)
    let found = try await allReports()
    XCTAssertEqual(found.count, 0)
  }
}
