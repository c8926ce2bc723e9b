// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

/// A version is described as one container, with what it shares.
final class DescribedVersionsTests: ReloadTestCase {
  private func described(_ graph: DependencyGraph) -> [String] {
    graph.registrations.map { "\($0), level \($0.level), \($0.dependencies ?? [])" }
      + graph.edges.map { "\($0)" } + ["\(graph.unknown)", "\(graph.cycles)"]
  }

  private func described(_ listed: [ListedRegistration]) -> [String] {
    listed.map { "\($0), level \($0.level)" }
  }

  func testBeforeAReloadAVersionIsDescribedAsItsBase() throws {
    try addServices()
    try base.register(String.self) { "\(try $0.resolve(Cache.self).version)" }
    let reloadable = ReloadableContainer(base)
    _ = try reloadable.current.resolve(Clock.self)
    let current = reloadable.current
    XCTAssertEqual(described(current.graph()), described(base.graph()))
    XCTAssertEqual(described(current.registrations), described(base.registrations))
    XCTAssertEqual(
      described(current.registrations(includingParents: true)),
      described(base.registrations(includingParents: true)))
    XCTAssertEqual(current.statistics, base.statistics)
    XCTAssertEqual(current.description, base.description)
    XCTAssertEqual(current.debugDescription, base.debugDescription)
  }

  func testAfterReloadsAVersionHasEachRegistrationThatItResolvesOnce() async throws {
    try addServices()
    let reloadable = ReloadableContainer(base)
    _ = try reloadable.current.resolve(Clock.self)
    _ = try reloadable.current.resolve(Cache.self)
    let keys = base.registrations.map(\.key)
    for version in 2...4 {
      try await reloadable.reload(to: version)
      try await reloadable.reload { try $0.register(value: "new") }.value
    }
    let current = reloadable.current
    let newKey = RegistrationKey(product: String.self)
    XCTAssertEqual(current.registrations.map(\.key), keys + [newKey], "each in its place")
    XCTAssertEqual(
      described(current.registrations(includingParents: true)), described(current.registrations))
    let graph = current.graph()
    XCTAssertEqual(Set(graph.registrations.map(\.level)), [0])
    XCTAssertEqual(graph.registrations.count, keys.count + 1)
    XCTAssertEqual(graph.registrations.map(\.key), keys + [newKey], "in the same order")
    XCTAssertEqual(graph.registrations.filter(\.isBuilt).count, 5)
    XCTAssertEqual(current.statistics.registrations, 5)
    XCTAssertEqual(current.statistics.built, [.singleton: 5])
    XCTAssertEqual(current.description, "Container with 5 registrations, 5 of them built")
    XCTAssertEqual(base.statistics.registrations, keys.count, "the base is as it was")
  }

  func testWhatOnlyOlderVersionsHaveIsNotCounted() async throws {
    try addServices()
    let cached = AnyScope.cached(for: .seconds(3_600))
    try base.register(String.self, scope: .cached(for: .seconds(3_600))) {
      "\(try $0.resolve(Settings.self).version)"
    }.dependsOn(Settings.self)
    let reloadable = ReloadableContainer(base)
    try await reloadable.reload { try $0.register(value: 1) }.value
    let old = reloadable.current
    let unit = try reloadable.scopes.makeScope()
    _ = try unit.resolve(String.self)
    XCTAssertEqual(old.statistics.built[cached], 1)
    let disposal = try await reloadable.reload { next in
      try next.register(value: Settings(version: 2))
      XCTAssert(next.unregister(Int.self))
    }
    XCTAssertNil(reloadable.current.statistics.built[cached], "it has not been built again")
    XCTAssertEqual(reloadable.current.statistics.registrations, 5)
    XCTAssertEqual(reloadable.current.statistics.openScopes, 0)
    XCTAssertEqual(old.statistics.built[cached], 1)
    XCTAssertEqual(old.statistics.openScopes, 1)
    try await unit.shutdown()
    try await disposal.value
  }

  func testTheParentOfTheBaseIsAParent() async throws {
    let reloaded = Container(parent: base)
    try base.register(Clock.self, scope: .singleton) { [services] _ in Clock(services) }.dependsOn()
    try reloaded.register(value: Settings(version: 1))
    try reloaded.register(Int.self) { try $0.resolve(Settings.self).version }
      .dependsOn(Settings.self)
    let reloadable = ReloadableContainer(reloaded)
    for version in 1...3 {
      if version > 1 { try await reloadable.reload(to: version) }
      let current = reloadable.current
      let levels = current.graph().registrations.map { "\($0.key) \($0.level)" }
      XCTAssertEqual(levels.first, "\(RegistrationKey(Clock.self)) 1")
      XCTAssertEqual(current.graph().registrations.dropFirst().map(\.level), [0, 0])
      XCTAssertEqual(current.registrations(includingParents: true).map(\.level), [1, 0, 0])
      XCTAssertEqual(current.registrations.map(\.key), reloaded.registrations.map(\.key))
      XCTAssertEqual(current.statistics.registrations, 2)
      XCTAssertEqual(current.description, reloaded.description)
      let scope = try reloadable.scopes.makeScope()
      XCTAssertEqual(scope.graph().registrations.map(\.level), [2, 1, 1])
      XCTAssertEqual(scope.registrations(includingParents: true).map(\.level), [2, 1, 1])
      try await scope.shutdown()
    }
    try await reloaded.shutdown()
  }

  func testAVersionDrainsWithItsBaseAndHasNothingOnceItIsClosed() async throws {
    try addServices()
    let reloadable = ReloadableContainer(base)
    let old = reloadable.current
    try await reloadable.reload(to: 2)
    XCTAssert(old.statistics.isClosed)
    XCTAssertEqual(old.statistics.registrations, 0)
    XCTAssertEqual(old.statistics.built, [:])
    let unit = try reloadable.scopes.makeScope()
    let newest = reloadable.current
    XCTAssertFalse(newest.statistics.isDraining)
    let end = Task { [base] in try await base.shutdown(draining: .seconds(3600)) }
    while !base.statistics.isDraining { await Task.yield() }
    XCTAssert(newest.statistics.isDraining)
    try await unit.shutdown()
    try await end.value
  }
}
