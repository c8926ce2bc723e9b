// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

/// Reloads that remove registrations, or register keys for the first time.
final class ReloadedKeysTests: ReloadTestCase {
  /// Registers a cache of the database of that name, or of none.
  private func addCache(of name: Name?) throws {
    let key = RegistrationKey(product: Database?.self, name: name)
    try base.register(Cache.self, scope: .singleton) { [services] resolver in
      let database = try resolver.resolveIfRegistered(Database.self, name: name)
      return Cache(services, database ?? Database(services, version: -1))
    }.dependsOn(keys: [key]).onDispose { [log] in log.add("Cache \($0.version)") }
  }

  /// The container's own registration was found again, with its instance, which the reload before
  /// was about to dispose of. Built anew, it got the container's settings.
  func testWhatARemovedRegistrationHasHiddenIsBuiltOfTheVersion() async throws {
    try addServices()
    let reloadable = ReloadableContainer(base)
    XCTAssertEqual(try reloadable.current.resolve(Database.self).version, 1)
    let scope = try reloadable.scopes.makeScope()
    let disposal = try await reloadable.reload { next in
      try next.register(value: Settings(version: 2))
      try add(Database.self, to: next) { [services] _ in Database(services, version: 20) }
    }
    let later = try await reloadable.reload { XCTAssert($0.unregister(Database.self)) }
    let database = try reloadable.current.resolve(Database.self)
    XCTAssertEqual(database.version, 2)
    XCTAssertEqual(services.created, 3, "built ahead")
    try await scope.close()
    try await disposal.value
    try await later.value
    XCTAssertEqual(log.entries, ["Database 1", "Database 20"])
    XCTAssert(try reloadable.current.resolve(Database.self) === database)
    try await base.shutdown()
    XCTAssertEqual(log.entries, ["Database 1", "Database 20", "Database 2"])
  }

  func testAReloadDoesNotRemoveWhatTheContainerHas() async throws {
    try addServices()
    let reloadable = ReloadableContainer(base)
    for _ in 1...2 {
      try await reloadable.reload { next in
        XCTAssertFalse(next.unregister(Cache.self))
        XCTAssertTrue(next.contains(Cache.self))
      }.value
    }
    XCTAssertEqual(try reloadable.current.resolve(Cache.self).version, 1)
  }

  func testWhatIsRegisteredFirstReachesThoseThatAskForIt() async throws {
    try addCache(of: "replica")
    let reloadable = ReloadableContainer(base)
    XCTAssertEqual(try reloadable.current.resolve(Cache.self).version, -1)
    for version in 1...2 {
      try await reloadable.reload { [services] next in
        try next.register(Database.self, name: "replica", scope: .singleton) { _ in
          Database(services, version: version)
        }.dependsOn()
      }.value
      XCTAssertEqual(try reloadable.current.resolve(Cache.self).version, version)
    }
    try await reloadable.reload { XCTAssert($0.unregister(Database.self, name: "replica")) }.value
    XCTAssertEqual(try reloadable.current.resolve(Cache.self).version, -1)
    XCTAssertEqual(log.entries, ["Cache -1", "Cache 1", "Cache 2"])
  }

  /// All that asked for the type was built again, under whatever name.
  func testWhatIsRegisteredFirstReachesNoOtherName() async throws {
    try addServices()
    try base.register(Service.self, scope: .singleton) { [services] resolver in
      Service(services, version: try resolver.resolve(Provider<Database>.self)().version)
    }.dependsOn(Provider<Database>.self)
    let reloadable = ReloadableContainer(base)
    let cache = try reloadable.current.resolve(Cache.self)
    let service = try reloadable.current.resolve(Service.self)
    try await reloadable.reload { [services] next in
      try next.register(Database.self, name: "replica", scope: .singleton) { _ in
        Database(services)
      }.dependsOn()
    }.value
    XCTAssert(try reloadable.current.resolve(Cache.self) === cache)
    XCTAssert(try reloadable.current.resolve(Service.self) === service)
    XCTAssertEqual(log.entries, [])
  }

  func testACycleThatAnActionClosesIsBuiltAgainAsAWhole() async throws {
    final class Node: Service, @unchecked Sendable {
      let other = Locked<Service?>(nil)
    }
    try base.register(value: Settings(version: 1))
    try base.register(Node.self, scope: .singleton) { [services] resolver in
      Node(services, version: try resolver.resolve(Settings.self).version)
    }.dependsOn(Settings.self, Service.self).afterInit { resolver, node in
      let other = try resolver.resolve(Service.self)
      node.other.withLock { $0 = other }
    }.onDispose { node in node.other.withLock { $0 = nil } }
    try base.register(Service.self, scope: .singleton) { [services] resolver in
      Service(services, version: 10 * (try resolver.resolve(Node.self).version))
    }.dependsOn(Node.self)
    let reloadable = ReloadableContainer(base)
    for version in 1...3 {
      if version > 1 { try await reloadable.reload(to: version) }
      for _ in 1...2 {
        let node = try reloadable.current.resolve(Node.self)
        XCTAssertEqual(node.version, version)
        XCTAssertEqual(node.other.withLock { $0?.version }, 10 * version)
        XCTAssertEqual(services.created, 2 * version)
        try await reloadable.reload { try $0.register(value: "other") }.value
      }
    }
    try await base.shutdown()
    await services.waitUntilNoneIsLeft()
    XCTAssertEqual(services.alive, 0)
  }

  func testWhatWasRecordedReachesByItsType() async throws {
    try base.register(value: Settings(version: 1))
    let recording = base.recordDependencies()
    defer { withExtendedLifetime(recording) {} }
    try base.register([Settings].self, scope: .singleton) { try $0.resolveAll(Settings.self) }
    let reloadable = ReloadableContainer(base)
    XCTAssertEqual(try reloadable.current.resolve([Settings].self).count, 1)
    try await reloadable.reload { try $0.register(value: Settings(version: 2), name: "more") }.value
    XCTAssertEqual(try reloadable.current.resolve([Settings].self).map(\.version), [1, 2])
  }

  /// The second reload was refused: what the version shared with the one before counted as
  /// synchronous.
  func testAnAsynchronousSingletonOfAVersionMayNeedAnotherInTheNext() async throws {
    try base.register(value: Settings(version: 1))
    try base.registerAsync(Clock.self) { [services] _ in Clock(services) }.dependsOn()
    try base.registerAsync(Database.self) { [services] resolver in
      _ = try await resolver.resolveAsync(Clock.self)
      return Database(services, version: try resolver.resolve(Settings.self).version)
    }.as(.singleton).dependsOn(Clock.self, Settings.self)
    let reloadable = ReloadableContainer(base)
    _ = try await reloadable.current.resolveAsync(Database.self)
    try await reloadable.reload(to: 2)
    try await reloadable.reload { try $0.register(value: "other") }.value
    let database = try await reloadable.current.resolveAsync(Database.self)
    XCTAssertEqual(database.version, 2)
    await assertThrows {
      try await reloadable.reload { next in
        try next.register(Cache.self) { [services] resolver in
          Cache(services, try resolver.resolve(Database.self))
        }.dependsOn(Clock.self)
      }
    } _: { error in
      XCTAssert(error.is(.validationFailed), "\(error)")
    }
  }
}
