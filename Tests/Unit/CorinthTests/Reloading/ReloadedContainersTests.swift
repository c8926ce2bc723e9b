// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

/// What containers around versions, below them and made of them see.
final class ReloadedContainersTests: ReloadTestCase {
  func testAllReloadableContainersOfOneContainerHaveTheSameVersions() async throws {
    try addServices()
    let first = ReloadableContainer(base)
    try await first.reload(to: 2)
    let second = ReloadableContainer(base)
    let third = ReloadableContainer(first.current)
    XCTAssert(first.current === second.current && first.current === third.current)
    try await third.reload(to: 3)
    try await second.reload(to: 4)
    for reloadable in [first, second, third] {
      XCTAssertEqual(try reloadable.current.resolve(Cache.self).version, 4)
    }
  }

  func testAChildIsReloadedOnItsOwn() async throws {
    try addServices()
    let child = Container(parent: base)
    try child.register(Service.self, scope: .singleton) { [services] resolver in
      Service(services, version: try resolver.resolve(Cache.self).version)
    }.dependsOn(Cache.self).onDispose { [log] in log.add("Service \($0.version)") }
    let (parent, reloadable) = (ReloadableContainer(base), ReloadableContainer(child))
    XCTAssertEqual(try reloadable.current.resolve(Service.self).version, 1)
    try await reloadable.reload(to: 2)
    XCTAssertEqual(try reloadable.current.resolve(Service.self).version, 2)
    XCTAssertEqual(try parent.current.resolve(Cache.self).version, 1)
    XCTAssertEqual(log.entries, ["Service 1"], "the cache is the parent's")
    try await parent.reload(to: 3)
    XCTAssertEqual(try reloadable.current.resolve(Service.self).version, 2)
    try await child.shutdown()
    try await base.shutdown()
    XCTAssertEqual(
      log.entries,
      [
        "Service 1", "Cache 1", "Database 1", "Service 2", "Cache 2", "Database 2", "Cache 3",
        "Database 3",
      ])
    XCTAssertEqual(log.entries.count, services.created)
  }

  func testAForkIsReloadedOnItsOwn() async throws {
    try addServices()
    XCTAssertEqual(try base.resolve(Cache.self).version, 1)
    let fork = base.fork()
    let reloadable = ReloadableContainer(fork)
    for version in 2...4 {
      try await reloadable.reload(to: version)
      XCTAssertEqual(try reloadable.current.resolve(Cache.self).version, version)
      XCTAssertEqual(try base.resolve(Cache.self).version, 1)
    }
    try await fork.shutdown()
    XCTAssertEqual(log.entries.count, services.created - 2)
    XCTAssertEqual(try base.resolve(Cache.self).version, 1)
  }

  /// A child ends with its version; a fork has instances of its own.
  func testChildrenAndForksOfAVersion() async throws {
    try addServices()
    let reloadable = ReloadableContainer(base)
    try await reloadable.reload(to: 2)
    _ = try reloadable.current.resolve(Cache.self)
    let (child, fork) = (Container(parent: reloadable.current), reloadable.current.fork())
    XCTAssertEqual(try child.resolve(Cache.self).version, 2)
    XCTAssertEqual(try fork.resolve(Cache.self).version, 2)
    let scope = child.makeScope()
    let disposal = try await reloadable.reload { try $0.register(value: Settings(version: 3)) }
    XCTAssertEqual(try scope.resolve(Cache.self).version, 2)
    XCTAssertEqual(log.entries, [], "the scope of the child is open")
    try await scope.close()
    try await disposal.value
    XCTAssertThrowsError(try child.resolve(Cache.self)) { XCTAssert($0.is(.containerClosed)) }
    XCTAssertEqual(try reloadable.current.resolve(Cache.self).version, 3)
    try await fork.shutdown()
    try await base.shutdown()
    XCTAssertEqual(log.entries.count, services.created)
    XCTAssertEqual(Set(log.entries).count, 4)
  }

  /// It had those that the version shares with an older one, and that are disposed of with the next
  /// reload.
  func testAForkOfAVersionHasInstancesOfItsOwn() async throws {
    try addServices()
    let reloadable = ReloadableContainer(base)
    try await reloadable.reload(to: 2)
    let cache = try reloadable.current.resolve(Cache.self)
    try await reloadable.reload { try $0.register(value: "other") }.value
    let fork = reloadable.current.fork()
    let own = try fork.resolve(Cache.self)
    XCTAssert(try reloadable.current.resolve(Cache.self) === cache)
    XCTAssert(own !== cache)
    XCTAssertEqual(own.version, 2)
    try await reloadable.reload(to: 3)
    XCTAssertEqual(log.entries, ["Cache 2", "Database 2"])
    XCTAssert(try fork.resolve(Cache.self) === own)
    try await fork.shutdown()
    try await base.shutdown()
    XCTAssertEqual(log.entries.count, services.created)
  }

  func testAValidationThatBuildsLeavesTheVersionAsItIs() async throws {
    try addServices()
    let reloadable = ReloadableContainer(base)
    try await reloadable.reload(to: 2)
    try await reloadable.reload { try $0.register(value: "other") }.value
    try await reloadable.current.validate(building: true)
    XCTAssertEqual(reloadable.current.statistics.built[.singleton], 2, "the two values")
    XCTAssertEqual(log.entries.count, services.created)
  }

  func testTheScopeFactoryOfAnOldVersionEndsWithTheContainer() async throws {
    try addServices()
    let reloadable = ReloadableContainer(base)
    let made = try reloadable.current.resolve(ScopeFactory.self)
    for version in 2...3 {
      try await reloadable.reload(to: version)
      let found = try await made.withScope { try $0.resolve(Cache.self).version }
      XCTAssertEqual(found, version)
    }
    try await base.shutdown()
    await assertThrows { try await made.withScope { try $0.resolve(Cache.self) } }
  }

  func testStatisticsAndGraphsOfAVersionAreThoseOfAllItServes() async throws {
    try addServices()
    try base.register(String.self) { "\(try $0.resolve(Cache.self).version)" }.dependsOn(Cache.self)
    let reloadable = ReloadableContainer(base)
    _ = try reloadable.current.resolve(Clock.self)
    _ = try reloadable.current.resolve(Cache.self)
    let before = reloadable.current.graph()
    for version in 2...4 {
      try await reloadable.reload(to: version)
      try await reloadable.reload { try $0.register(value: version) }
    }
    let graph = reloadable.current.graph()
    XCTAssertEqual(
      Set(graph.registrations.map(\.key)), Set(before.registrations.map(\.key) + [.init(Int.self)]))
    XCTAssertEqual(graph.registrations.count, before.registrations.count + 1)
    let cache = try XCTUnwrap(graph.registrations.first { $0.key == .init(Cache.self) })
    XCTAssertEqual(cache.scope, .singleton)
    XCTAssert(cache.isBuilt)
    XCTAssertEqual(
      graph.path(from: .init(String.self), to: .init(Settings.self))?.count, 4)
    XCTAssertEqual(graph.unknown, [])
    XCTAssertNoThrow(try reloadable.current.validate(strictly: true))
    let statistics = reloadable.current.statistics
    XCTAssertEqual(statistics.built[.singleton], 5, "that which the base has, too")
    XCTAssertEqual(
      reloadable.current.registrations.filter { $0.key == .init(Cache.self) }.map(\.scope),
      [.singleton])
  }

  func testAValidationFindsACaptiveThatAVersionShares() async throws {
    try base.register(Int.self, scope: .scoped) { _ in 1 }.dependsOn()
    let reloadable = ReloadableContainer(base)
    let change: (Container) throws -> Void = { next in
      try next.register(String.self, scope: .singleton) { _ in "" }.dependsOn(Int.self)
    }
    try await reloadable.reload(validating: false, change)
    await assertThrows {
      try await reloadable.reload { try $0.register(value: 1.0) }
    } _: {
      XCTAssert($0.is(.validationFailed), "\($0)")
    }
  }

  func testScopesOfVersionsAreTrackedByTheContainer() async throws {
    try addServices()
    let reloadable = ReloadableContainer(base)
    func tracked() -> [UInt] { base.statistics.openScopesByAge.map(\.location.line) }
    base.tracksScopes = true
    let first = try reloadable.scopes.makeScope(line: 1)
    XCTAssertEqual(tracked(), [1])
    _ = try await reloadable.reload { try $0.register(value: Settings(version: 2)) }
    let second = try reloadable.scopes.makeScope(line: 2)
    let nested = second.makeScope(line: 3)
    XCTAssertEqual(tracked(), [1, 2, 3])
    XCTAssertEqual(base.statistics.untrackedScopes, 0)
    for scope in [nested, first, second] { try await scope.close() }
    XCTAssertEqual(tracked(), [])
    base.tracksScopes = false
    let third = try reloadable.scopes.makeScope()
    XCTAssertEqual(tracked(), [])
    try await third.close()
  }

  func testAVersionListsTheScopesThatWereMadeOfIt() async throws {
    try addServices()
    let reloadable = ReloadableContainer(base)
    base.tracksScopes = true
    let old = reloadable.current
    let first = try reloadable.scopes.makeScope(line: 1)
    let nested = first.makeScope(line: 2)
    _ = try await reloadable.reload { try $0.register(value: Settings(version: 2)) }
    let second = try reloadable.scopes.makeScope(line: 3)
    let ofBase = base.makeScope(line: 4)
    func lines(_ container: Container) -> [UInt] {
      XCTAssertEqual(container.statistics.untrackedScopes, 0)
      return container.statistics.openScopesByAge.map(\.location.line)
    }
    XCTAssertEqual(lines(old), [1, 2])
    XCTAssertEqual(lines(reloadable.current), [3])
    XCTAssertEqual(lines(base), [1, 2, 3, 4])
    try await nested.close()
    XCTAssertEqual(lines(old), [1])
    for scope in [ofBase, first, second] { try await scope.close() }
    XCTAssertEqual(lines(reloadable.current), [])
  }

  func testNothingIsReportedAsUndisposed() async throws {
    let reports = Locked<[String]>([])
    Container.onUndisposed = { report in reports.withLock { $0.append("\(report)") } }
    defer { Container.onUndisposed = nil }
    do {
      try addServices()
      let reloadable = ReloadableContainer(base)
      _ = try reloadable.current.resolve(Cache.self)
      _ = try reloadable.current.resolve(Clock.self)
      for version in 2...4 { try await reloadable.reload(to: version) }
      await assertThrows {
        try await reloadable.reload { next in
          try next.register(value: Settings(version: 5))
          try next.register(String.self, scope: .singleton, with: .eager.dependsOn(Cache.self)) {
            _ in throw CancellationError()
          }
        }
      }
      try await reloadable.reload { [services] next in
        try add(Clock.self, to: next) { _ in Clock(services) }
      }.value
      try await reloadable.reload { _ = $0.unregister(Clock.self) }.value
      try await base.shutdown()
    }
    XCTAssertEqual(reports.withLock { $0 }, [])
    XCTAssertEqual(log.entries.count, services.created)
  }
}
