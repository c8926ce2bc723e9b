// SPDX-License-Identifier: MIT

import TestSupport
import XCTest

@testable import Corinth

/// The order in which what reloads have replaced is disposed of, beside others that build it again,
/// or end the container.
final class DisposalOrderOfReloadsTests: ReloadTestCase {
  private func assertOrder(
    _ first: String, _ second: String, file: StaticString = #filePath, line: UInt = #line
  ) {
    let entries = log.entries
    guard let former = entries.firstIndex(of: first), let latter = entries.firstIndex(of: second)
    else { return XCTFail("missing: \(entries)", file: file, line: line) }
    XCTAssertLessThan(former, latter, "\(entries)", file: file, line: line)
  }

  /// The database that a version had built again was closed with that version, and the cache of a
  /// newer one, which held it, stayed.
  func testWhatIsBuiltAgainFromAnUnusedVersionIsDisposedOfWithIt() async throws {
    let (databases, second) = (AtomicCounter(), Locked<Container?>(nil))
    try base.register(value: Settings(version: 1))
    let reloadable = ReloadableContainer(base)
    try await reloadable.reload { [log, services] version in
      try version.register(Database.self, scope: .singleton) { _ in
        Database(services, version: databases.add())
      }.dependsOn(Settings.self).onDispose { database in
        log.add("Database \(database.version)")
        if database.version == 1 { _ = try second.withLock { $0 }?.resolve(Cache.self) }
      }
    }
    try await reloadable.reload { [services] version in
      try add(Clock.self, to: version) { _ in Clock(services) }
      try add(Cache.self, to: version, dependingOn: Database.self) { resolver in
        Cache(services, try resolver.resolve(Database.self))
      }
    }
    let kept = reloadable.current
    second.withLock { $0 = kept }
    _ = (try kept.resolve(Clock.self), try kept.resolve(Cache.self))
    try await reloadable.reload { [services] version in
      try add(Database.self, to: version, dependingOn: Settings.self) { _ in
        Database(services, version: 100)
      }
    }.value
    assertOrder("Cache 1", "Database 1")
    assertOrder("Cache 2", "Database 2")
    second.withLock { $0 = nil }
    try await base.shutdown()
  }

  /// The end did not wait for the disposal, which would wait for itself, and closed the clock
  /// before the database.
  func testAnEndWithinADisposerTakesOverWhatIsLeft() async throws {
    let base = base
    try base.register(value: Settings(version: 1))
    try add(Clock.self) { [services] _ in Clock(services) }
    try add(Database.self, dependingOn: Settings.self, Clock.self) { [services] resolver in
      _ = try resolver.resolve(Clock.self)
      return Database(services, version: try resolver.resolve(Settings.self).version)
    }
    try base.register(Cache.self, scope: .singleton) { [services] resolver in
      Cache(services, try resolver.resolve(Database.self))
    }.dependsOn(Database.self).onDispose { [log] cache in
      log.add("Cache \(cache.version)")
      if cache.version == 1 { try await base.shutdown() }
    }
    let reloadable = ReloadableContainer(base)
    _ = try reloadable.current.resolve(Cache.self)
    try await reloadable.reload(to: 2)
    XCTAssertEqual(
      log.entries, ["Cache 1", "Cache 2", "Database 2", "Database 1", "Clock 0"])
  }

  /// Neither did one within a factory of a reload: what that had built until then was closed last.
  func testAnEndWithinAFactoryOfAReloadTakesOverWhatThatHasBuilt() async throws {
    let base = base
    try base.register(value: Settings(version: 1))
    try add(Clock.self) { [services] _ in Clock(services) }
    try add(Database.self, dependingOn: Settings.self, Clock.self) { [services] resolver in
      _ = try resolver.resolve(Clock.self)
      return Database(services, version: try resolver.resolve(Settings.self).version)
    }
    try base.registerAsync(Cache.self, scope: .singleton) { [services] resolver in
      let database = try resolver.resolve(Database.self)
      if database.version == 2 { try await base.shutdown() }
      return Cache(services, database)
    }.dependsOn(Database.self)
    let reloadable = ReloadableContainer(base)
    _ = try await reloadable.current.resolveAsync(Cache.self)
    await assertThrows {
      try await reloadable.reload(to: 2)
    } _: {
      XCTAssert($0.is(.containerClosed), "\($0)")
    }
    try await base.shutdown()
    assertOrder("Database 2", "Clock 0")
    assertOrder("Database 1", "Clock 0")
  }

  /// They were missing: a service that ended by force said that nothing was open.
  func testWhatIsStillOpenIncludesTheInstancesOfVersions() async throws {
    try addServices()
    let reloadable = ReloadableContainer(base)
    _ = try reloadable.current.resolve(Cache.self)
    try await reloadable.reload(to: 2)
    let open = base.registry.stillOpen
    XCTAssertEqual(open.count, 2, "\(open)")
    for name in ["Database", "Cache"] {
      XCTAssertEqual(
        open.count { $0.contains(name) && $0.contains("not disposed of") }, 1, "\(open)")
    }
    try await base.shutdown()
    XCTAssertEqual(base.registry.stillOpen, [])
  }
}
