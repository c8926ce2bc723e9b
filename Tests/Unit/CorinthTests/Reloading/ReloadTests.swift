// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

/// What a reload reaches, and what it leaves.
final class ReloadTests: ReloadTestCase {
  func testAReloadReachesDependentsAtAnyDepthAndLeavesTheRest() async throws {
    try addServices()
    let reloadable = ReloadableContainer(base)
    let clock = try base.resolve(Clock.self)
    XCTAssertEqual(try reloadable.current.resolve(Cache.self).version, 1)
    try await reloadable.reload(to: 2)
    XCTAssertEqual(services.created, 5, "the built ones are built ahead")
    let cache = try reloadable.current.resolve(Cache.self)
    XCTAssertEqual(cache.version, 2)
    XCTAssert(try reloadable.current.resolve(Database.self) === cache.database)
    XCTAssert(try reloadable.current.resolve(Clock.self) === clock)
    XCTAssertEqual(services.created, 5)
    XCTAssertEqual(log.entries, ["Cache 1", "Database 1"])
  }

  func testWhatIsNotBuiltIsNotBuiltByAReload() async throws {
    try addServices()
    let reloadable = ReloadableContainer(base)
    try await reloadable.reload(to: 2)
    try await reloadable.reload(to: 3)
    XCTAssertEqual(services.created, 0)
    XCTAssertEqual(try reloadable.current.resolve(Cache.self).version, 3)
    XCTAssert(try reloadable.current.resolve(Clock.self) === base.resolve(Clock.self))
    XCTAssertEqual(log.entries, [])
  }

  func testASecondReloadSharesWhatItDoesNotReachOfTheFirstOne() async throws {
    try addServices()
    let reloadable = ReloadableContainer(base)
    _ = try reloadable.current.resolve(Cache.self)
    try await reloadable.reload(to: 2)
    let first = try reloadable.current.resolve(Database.self)
    for version in 3...5 {
      try await reloadable.reload { next in
        try add(Cache.self, to: next, dependingOn: Database.self) { [services] resolver in
          Cache(services, try resolver.resolve(Database.self))
        }
      }.value
      XCTAssert(try reloadable.current.resolve(Database.self) === first)
      XCTAssert(try reloadable.current.resolve(Cache.self).database === first)
      XCTAssertEqual(log.entries.count, version, "one more")
    }
    try await reloadable.reload(to: 6)
    XCTAssertEqual(try reloadable.current.resolve(Cache.self).version, 6)
    XCTAssertEqual(
      log.entries,
      ["Cache 1", "Database 1", "Cache 2", "Cache 2", "Cache 2", "Cache 2", "Database 2"])
    try await base.shutdown()
    XCTAssertEqual(log.entries.suffix(2), ["Cache 6", "Database 6"])
    XCTAssertEqual(log.entries.count, 9)
  }

  func testWhatIsNotBuiltIsBuiltOnceForAllVersions() async throws {
    try base.register(value: Settings(version: 1))
    let reloadable = ReloadableContainer(base)
    try await reloadable.reload { next in
      try add(Clock.self, to: next) { [services] _ in Clock(services) }
    }.value
    let first = reloadable.current
    try await reloadable.reload(to: 2)
    let clock = try reloadable.current.resolve(Clock.self)
    XCTAssert(try first.resolve(Clock.self) === clock)
    try await reloadable.reload(to: 3)
    XCTAssert(try reloadable.current.resolve(Clock.self) === clock)
    XCTAssertEqual(services.created, 1)
  }

  func testAReloadReachesLazyProvidedCollectedAndForwardedDependents() async throws {
    final class Holder<Content: Sendable>: Sendable {
      let content: Content
      init(_ content: Content) { self.content = content }
    }
    try addServices()
    try base.register(Service.self, name: "one", scope: .singleton) {
      try $0.resolve(Database.self)
    }
    .dependsOn(Database.self)
    try base.forward(Service.self, to: Cache.self)
    try base.wire(Holder<Lazy<Database>>.self, scope: .singleton, using: Holder.init)
    try base.wire(Holder<Provider<Cache>>.self, scope: .singleton, using: Holder.init)
    try base.wire(Holder<[Service]>.self, scope: .singleton, using: Holder.init)
    try base.wire(Holder<Service>.self, scope: .singleton, using: Holder.init)
    try base.wire(Holder<Clock>.self, scope: .singleton, using: Holder.init)
    let reloadable = ReloadableContainer(base)
    func versions(_ container: Container) throws -> [Int] {
      [
        try container.resolve(Holder<Lazy<Database>>.self).content.value.version,
        try container.resolve(Holder<Provider<Cache>>.self).content().version,
        try container.resolve(Holder<Service>.self).content.version,
      ] + (try container.resolve(Holder<[Service]>.self).content.map(\.version))
    }
    XCTAssertEqual(try versions(reloadable.current), [1, 1, 1, 1, 1])
    let clock = try base.resolve(Holder<Clock>.self)
    for version in 2...4 {
      try await reloadable.reload(to: version)
      XCTAssertEqual(
        try versions(reloadable.current), [Int](repeating: version, count: 5))
      XCTAssert(try reloadable.current.resolve(Holder<Clock>.self) === clock)
    }
  }

  func testANewElementReachesTheCollectionsOfItsType() async throws {
    final class Plugins: Sendable {
      let all: [Settings]
      let extra: Clock?
      init(_ all: [Settings], _ extra: Clock?) { (self.all, self.extra) = (all, extra) }
    }
    try base.register(value: Settings(version: 1))
    try base.wire(Plugins.self, scope: .singleton, using: Plugins.init)
    let reloadable = ReloadableContainer(base)
    XCTAssertEqual(try reloadable.current.resolve(Plugins.self).all.map(\.version), [1])
    try await reloadable.reload { try $0.register(value: Settings(version: 2), name: "more") }.value
    XCTAssertEqual(try reloadable.current.resolve(Plugins.self).all.map(\.version), [1, 2])
    try await reloadable.reload { [services] next in
      try next.register(Clock.self, scope: .singleton) { _ in Clock(services) }.dependsOn()
    }.value
    XCTAssertNotNil(try reloadable.current.resolve(Plugins.self).extra)
  }

  func testDecoratorsOfTheBaseApplyToEachVersion() async throws {
    try addServices()
    try base.decorate(Settings.self) { settings, _ in Settings(version: settings.version * 10) }
    try base.register(Int.self, scope: .singleton) { try $0.resolve(Settings.self).version }
      .dependsOn(Settings.self)
    try base.register(Settings.self, scope: .singleton) { _ in Settings(version: 1) }.dependsOn()
    let reloadable = ReloadableContainer(base)
    XCTAssertEqual(try reloadable.current.resolve(Int.self), 10)
    try await reloadable.reload { next in
      try next.register(Settings.self, scope: .singleton) { _ in Settings(version: 2) }.dependsOn()
    }.value
    XCTAssertEqual(try reloadable.current.resolve(Int.self), 20)
  }
}
