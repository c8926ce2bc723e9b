// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

/// Units of work beside reloads.
final class ReloadedUnitsTests: ReloadTestCase {
  func testAScopeKeepsItsVersionAndHoldsTheDisposalBack() async throws {
    try addServices()
    let reloadable = ReloadableContainer(base)
    let scope = try reloadable.scopes.makeScope()
    let first = try scope.resolve(Cache.self)
    let disposal = try await reloadable.reload { try $0.register(value: Settings(version: 2)) }
    XCTAssertEqual(try reloadable.scopes.makeScope().resolve(Cache.self).version, 2)
    XCTAssert(try scope.resolve(Cache.self) === first)
    XCTAssertEqual(try scope.resolve(Settings.self).version, 1)
    let later = try await reloadable.reload { try $0.register(value: Settings(version: 3)) }
    XCTAssertEqual(log.entries, [], "the scope has not closed")
    try await scope.close()
    try await disposal.value
    try await later.value
    XCTAssertEqual(log.entries, ["Cache 1", "Database 1", "Cache 2", "Database 2"])
  }

  func testAScopeFactoryOfASingletonFollows() async throws {
    final class Worker: Sendable {
      let scopes: ScopeFactory
      init(_ scopes: ScopeFactory) { self.scopes = scopes }
    }
    try addServices()
    try base.wire(Worker.self, scope: .singleton, using: Worker.init)
    let reloadable = ReloadableContainer(base)
    let worker = try reloadable.current.resolve(Worker.self)
    for version in 2...3 {
      try await reloadable.reload(to: version)
      let found = try await worker.scopes.withScope { try $0.resolve(Cache.self).version }
      XCTAssertEqual(found, version)
    }
    // One that a version has built.
    let made = try await reloadable.scopes.withScope { try $0.resolve(ScopeFactory.self) }
    try await reloadable.reload(to: 4)
    let found = try await made.withScope { try $0.resolve(Cache.self).version }
    XCTAssertEqual(found, 4)
  }

  func testScopedInstancesAreOfTheVersionOfTheirScope() async throws {
    try addServices()
    try base.register(Int.self, scope: .scoped) { try $0.resolve(Cache.self).version }
      .dependsOn(Cache.self)
    let reloadable = ReloadableContainer(base)
    let scope = try reloadable.scopes.makeScope()
    _ = try await reloadable.reload { try $0.register(value: Settings(version: 2)) }
    XCTAssertEqual(try scope.resolve(Int.self), 1)
    let second = try await reloadable.scopes.withScope { try $0.resolve(Int.self) }
    XCTAssertEqual(second, 2)
    try await scope.close()
  }

  func testTheEndOfTheContainerEndsItsVersionsFirst() async throws {
    try addServices()
    let reloadable = ReloadableContainer(base)
    _ = try reloadable.current.resolve(Cache.self)
    _ = try base.resolve(Clock.self)
    let scope = try reloadable.scopes.makeScope()
    let disposal = try await reloadable.reload { try $0.register(value: Settings(version: 2)) }
    let version = reloadable.current
    try await base.close()
    try await disposal.value
    XCTAssertEqual(
      log.entries, ["Cache 2", "Database 2", "Clock 0", "Cache 1", "Database 1"])
    XCTAssert(version.isClosed)
    await assertThrows { try scope.resolve(Cache.self) }
  }

  func testAReloadedContainerIsNotClosedSynchronously() async throws {
    try addServices()
    let reloadable = ReloadableContainer(base)
    let base = base
    func close() throws { try base.syncClose() }
    XCTAssertThrowsError(try close()) { XCTAssertEqual($0 as? CloseError, .asyncCloseRequired) }
    try await reloadable.reload(to: 2)
    try await base.close()
  }

  func testNothingIsLeft() async throws {
    weak var version: Container?
    do {
      let container = Container()
      let services = services
      try container.register(value: Settings(version: 1))
      try add(Database.self, to: container, dependingOn: Settings.self) { resolver in
        Database(services, version: try resolver.resolve(Settings.self).version)
      }
      try add(Clock.self, to: container) { _ in Clock(services) }
      let reloadable = ReloadableContainer(container)
      version = reloadable.current
      _ = try reloadable.current.resolve(Database.self)
      _ = try reloadable.current.resolve(Clock.self)
      for version in 2...20 { try await reloadable.reload(to: version) }
      await self.services.waitUntil(alive: 2)
      try await container.close()
    }
    await services.waitUntilNoneIsLeft()
    XCTAssertEqual(services.alive, 0)
    XCTAssertEqual(services.created, 21)
    XCTAssertNil(version)
  }

  func testUnitsBesideReloadsNeverSeeAMixture() async throws {
    try addServices()
    try base.wire(Pair.self, scope: .scoped, using: Pair.init)
    let reloadable = ReloadableContainer(base)
    _ = try reloadable.current.resolve(Cache.self)
    let isOver = AtomicCounter()
    try await onTasks(9) { [base] index in
      if index == 0 {
        defer { isOver.add() }
        for version in 2...101 {
          try await reloadable.reload { try $0.register(value: Settings(version: version)) }
        }
        return
      }
      while isOver.value == 0 {
        try await reloadable.scopes.withScope { scope in
          XCTAssert(scope.parent !== base)
          let cache = try scope.resolve(Cache.self)
          await Task.yield()
          let pair = try scope.resolve(Pair.self)
          let settings = try scope.resolve(Settings.self)
          XCTAssertEqual(cache.version, settings.version)
          XCTAssertEqual(cache.database.version, settings.version)
          XCTAssert(pair.cache === cache && pair.database === cache.database)
        }
      }
    }
    try await base.shutdown(draining: .seconds(3600))
    XCTAssertEqual(log.entries.count, 202)
    XCTAssertEqual(Set(log.entries).count, 202, "each is disposed of once")
  }

  final class Pair: Sendable {
    let (cache, database): (Cache, Database)
    init(_ cache: Cache, _ database: Database) { (self.cache, self.database) = (cache, database) }
  }

  func testReloadsRunOneAfterTheOther() async throws {
    try addServices()
    let reloadable = ReloadableContainer(base)
    _ = try reloadable.current.resolve(Cache.self)
    try await onTasks(8) { index in
      _ = try await reloadable.reload { try $0.register(value: Settings(version: index)) }
      try await reloadable.reload(to: 100)
    }
    XCTAssertEqual(try reloadable.current.resolve(Cache.self).version, 100)
    try await base.close()
    XCTAssertEqual(log.entries.count, 2 * 17)
  }
}

extension LifetimeTracker {
  /// Waits until no more than so many are left, for ``hangLimit`` at most.
  func waitUntil(alive count: Int) async {
    await TestSupport.waitUntil {
      reclaimWhatIsFree()
      return alive <= count
    }
    XCTAssertEqual(alive, count)
  }
}
