// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

/// Reloads of registrations that are neither singletons nor transients.
final class ReloadedScopesTests: ReloadTestCase {
  func testWeakInstancesAreThoseOfTheVersion() async throws {
    try addServices()
    try base.register(Service.self, scope: .weak) { [services] resolver in
      Service(services, version: try resolver.resolve(Database.self).version)
    }.dependsOn(Database.self)
    let reloadable = ReloadableContainer(base)
    let first = try reloadable.current.resolve(Service.self)
    try await reloadable.reload { try $0.register(value: "other") }.value
    XCTAssert(try reloadable.current.resolve(Service.self) === first)
    try await reloadable.reload(to: 2)
    let second = try reloadable.current.resolve(Service.self)
    XCTAssertEqual(second.version, 2)
    try await reloadable.reload { try $0.register(value: "again") }.value
    XCTAssert(try reloadable.current.resolve(Service.self) === second)
    XCTAssertEqual(first.version, 1)
  }

  func testCachedInstancesAreThoseOfTheVersion() async throws {
    try addServices()
    try base.register(Service.self, scope: .cached(for: .seconds(1000))) { [services] resolver in
      Service(services, version: try resolver.resolve(Database.self).version)
    }.dependsOn(Database.self)
    let reloadable = ReloadableContainer(base)
    for version in 2...4 {
      let old = try reloadable.current.resolve(Service.self)
      XCTAssertEqual(old.version, version - 1)
      try await reloadable.reload { try $0.register(value: "other") }.value
      XCTAssert(try reloadable.current.resolve(Service.self) === old)
      try await reloadable.reload(to: version)
    }
    XCTAssertEqual(log.entries, (1...3).map { "Database \($0)" })
  }

  func testInstancesForArgumentsAreThoseOfTheVersion() async throws {
    try base.register(value: Settings(version: 1))
    try base.register(Service.self, name: "tenant") { [services] (resolver, id: Int) in
      Service(services, version: 100 * id + (try resolver.resolve(Settings.self).version))
    }.as(.singleton).dependsOn(Settings.self).onDispose { [log] in log.add("\($0.version)") }
    let reloadable = ReloadableContainer(base)
    func version(of id: Int) throws -> Int {
      try reloadable.current.resolve(Service.self, name: "tenant", arguments: id).version
    }
    XCTAssertEqual(try [version(of: 1), version(of: 2)], [101, 201])
    try await reloadable.reload { try $0.register(value: "other") }.value
    XCTAssertEqual(try [version(of: 1), version(of: 2)], [101, 201])
    XCTAssertEqual(services.created, 2)
    try await reloadable.reload(to: 2)
    XCTAssertEqual(services.created, 2, "which arguments come is not known")
    try await reloadable.reload { try $0.register(value: "again") }.value
    XCTAssertEqual(try [version(of: 1), version(of: 1)], [102, 102])
    XCTAssertEqual(services.created, 3)
    try await base.shutdown()
    XCTAssertEqual(log.entries, ["201", "101", "102"])
  }

  func testInstancesThatTheProgramStoresAreSharedOrRefuseTheReload() async throws {
    final class Kept: CustomStorage {
      private let kept = Locked<Service?>(nil)
      func get(for context: StorageContext) -> Service? { kept.withLock { $0 } }
      func set(_ product: Service, for context: StorageContext) { kept.withLock { $0 = product } }
      func release() { kept.withLock { $0 = nil } }
    }
    try addServices()
    func register(in container: Container, _ version: Int?) throws {
      try container.register(Service.self) { [services] resolver in
        Service(services, version: try version ?? resolver.resolve(Settings.self).version)
      }.as(Kept()).dependsOn(Settings.self)
    }
    try register(in: base, nil)
    let reloadable = ReloadableContainer(base)
    let service = try reloadable.current.resolve(Service.self)
    for _ in 1...2 {
      try await reloadable.reload { try $0.register(value: "other") }.value
      XCTAssert(try reloadable.current.resolve(Service.self) === service)
    }
    await assertThrows {
      try await reloadable.reload(to: 2)
    } _: {
      XCTAssertEqual($0 as? RegistrationError, .reloadRefused)
    }
    try await reloadable.reload { next in
      try next.register(value: Settings(version: 3))
      try register(in: next, nil)
    }.value
    for _ in 1...2 {
      XCTAssertEqual(try reloadable.current.resolve(Service.self).version, 3)
      try await reloadable.reload { try $0.register(value: "again") }.value
    }
    try await base.shutdown()
  }

  func testInstancesOfNamedScopesAndResolutionsAreThoseOfTheVersion() async throws {
    try addServices()
    try base.register(Service.self, scope: .scoped(in: "request")) { [services] resolver in
      Service(services, version: try resolver.resolve(Cache.self).version)
    }.dependsOn(Cache.self)
    try base.register(Int.self, scope: .graph) { try $0.resolve(Cache.self).version }
      .dependsOn(Cache.self)
    let reloadable = ReloadableContainer(base)
    for version in 2...3 {
      let old = try reloadable.scopes.makeScope(named: "request")
      _ = try await reloadable.reload { try $0.register(value: Settings(version: version)) }
      let new = try reloadable.scopes.makeScope(named: "request")
      let inner = new.makeScope()
      XCTAssertEqual(try old.resolve(Service.self).version, version - 1)
      XCTAssertEqual(try inner.resolve(Service.self).version, version)
      XCTAssert(try inner.resolve(Service.self) === new.resolve(Service.self))
      XCTAssertEqual(try [old.resolve(Int.self), inner.resolve(Int.self)], [version - 1, version])
      for scope in [inner, new, old] { try await scope.close() }
    }
  }
}
