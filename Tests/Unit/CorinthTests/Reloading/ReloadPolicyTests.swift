// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

/// A version has the registrations of the one before, as far as the policies of duplicates are
/// concerned.
final class ReloadPolicyTests: ReloadTestCase {
  func testRequireFindsWhatTheVersionBeforeHas() async throws {
    try addServices()
    let reloadable = ReloadableContainer(base)
    _ = try reloadable.current.resolve(Cache.self)
    for version in 2...4 {
      try await reloadable.reload { next in
        try next.register(value: Settings(version: version), onDuplicate: .require)
        // The scope is that of the registration which it overrides.
        try next.register(Database.self, onDuplicate: .require, with: .dependsOn(Settings.self)) {
          [services] in Database(services, version: try $0.resolve(Settings.self).version)
        }
      }.value
      let cache = try reloadable.current.resolve(Cache.self)
      XCTAssertEqual(cache.version, version)
      XCTAssert(try reloadable.current.resolve(Database.self) === cache.database)
    }
    await assertThrows {
      try await reloadable.reload { try $0.register(value: 1, onDuplicate: .require) }
    } _: { error in
      XCTAssert("\(error)".contains("Nothing is registered for Int"), "\(error)")
    }
  }

  func testKeepLeavesWhatTheVersionBeforeHas() async throws {
    try addServices()
    let reloadable = ReloadableContainer(base)
    for _ in 1...2 {
      try await reloadable.reload { next in
        try next.register(value: Settings(version: 2), onDuplicate: .keep)
        try next.register(value: "new", onDuplicate: .keep)
      }.value
      XCTAssertEqual(try reloadable.current.resolve(Cache.self).version, 1)
      XCTAssertEqual(try reloadable.current.resolve(String.self), "new")
    }
    XCTAssertEqual(services.created, 2)
  }

  func testAContainerThatRefusesDuplicatesIsReloadedAgainAndAgain() async throws {
    let base = Container(duplicates: .refuse)
    try base.register(value: Settings(version: 1))
    let reloadable = ReloadableContainer(base)
    for version in 2...4 {
      try await reloadable.reload(to: version)
      XCTAssertEqual(try reloadable.current.resolve(Settings.self).version, version)
    }
    await assertThrows {
      try await reloadable.reload { next in
        for version in 5...6 { try next.register(value: Settings(version: version)) }
      }
    } _: { error in
      guard case .alreadyRegistered? = error as? RegistrationError else {
        return XCTFail("\(error)")
      }
    }
    try await base.shutdown()
  }

  func testAReplacementDeclaresItsDependencies() async throws {
    try addServices()
    try base.syncReplaceDatabase(services, with: nil)
    let refused = ReloadableContainer(base)
    await assertThrows {
      try await refused.reload(to: 2)
    } _: { error in
      guard case .reloadRefused? = error as? RegistrationError else { return XCTFail("\(error)") }
    }
    try base.syncReplaceDatabase(services, with: .dependsOn(Settings.self))
    let reloadable = ReloadableContainer(base)
    XCTAssertEqual(try reloadable.current.resolve(Cache.self).version, -1)
    try await reloadable.reload(to: 2)
    XCTAssertEqual(try reloadable.current.resolve(Cache.self).version, -2)
    XCTAssertEqual(log.entries, ["Cache -1", "Database -1"], "the disposer is that of the old one")
  }

  func testHooksOfAReplacementThatContradictItsScopeChangeNothing() throws {
    try base.register(value: Settings(version: 1))
    try base.register(Service.self) { [services] _ in Service(services) }
    let line: UInt = #line + 2
    XCTAssertThrowsError(
      try base.syncReplace(Service.self, with: .eager) { [services] _ in Service(services) }
    ) { error in
      guard case .eagerRequiresSingleton(_, let location)? = error as? RegistrationError
      else { return XCTFail("\(error)") }
      XCTAssertEqual(location.line, line)
    }
    XCTAssertNoThrow(try base.resolve(Service.self))
  }
}

extension Container {
  fileprivate func syncReplaceDatabase(
    _ tracker: LifetimeTracker, with options: RegistrationOptions<ReloadTestCase.Database>?
  ) throws {
    try syncReplace(ReloadTestCase.Database.self, with: options) { resolver in
      let settings = try resolver.resolve(ReloadTestCase.Settings.self)
      return ReloadTestCase.Database(tracker, version: -settings.version)
    }
  }
}
