// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

/// What behaviors of a container are told of its versions.
final class ReloadedBehaviorsTests: ReloadTestCase {
  private struct Listener: Behavior {
    let log: EventLog
    let prefix: String

    func didResolve(_ key: RegistrationKey, as instance: Any, in container: Container) {
      log.add("\(prefix)resolved \(key)")
    }
    func didFail(_ key: RegistrationKey, with error: ResolutionError, in container: Container) {
      log.add("\(prefix)failed \(key)")
    }
    func didBuild(_ key: RegistrationKey, in duration: Duration, container: Container) {
      log.add("\(prefix)built \(key)")
    }
    func didDispose(_ key: RegistrationKey) { log.add("\(prefix)disposed \(key)") }
  }

  private let events = EventLog()

  /// The events of a resolve of the cache, and of what comes before.
  private func events(of reloadable: ReloadableContainer) throws -> [String] {
    _ = try reloadable.current.resolve(Cache.self)
    return events.entries
  }

  /// What a reload had reached was not reported any more.
  func testBehaviorsOfTheContainerAreToldOfItsVersions() async throws {
    try addServices()
    base.add(Listener(log: events, prefix: ""))
    let reloadable = ReloadableContainer(base)
    let first = [
      "resolved Settings", "built Database", "resolved Database", "built Cache", "resolved Cache",
    ]
    XCTAssertEqual(try events(of: reloadable), first)
    for version in 2...3 {
      let before = events.entries.count
      try await reloadable.reload(to: version)
      let ofReload = Array(events.entries[before...])
      XCTAssertEqual(
        ofReload.filter { $0.hasPrefix("built") }, ["built Database", "built Cache"])
      XCTAssertEqual(
        ofReload.filter { $0.hasPrefix("disposed") }, ["disposed Cache", "disposed Database"])
      XCTAssertEqual(try events(of: reloadable)[(before + ofReload.count)...], ["resolved Cache"])
    }
    // Shared by another version, it is reported once.
    try await reloadable.reload { try $0.register(value: "other") }.value
    let before = events.entries.count
    XCTAssertEqual(try events(of: reloadable)[before...], ["resolved Cache"])
    XCTAssertThrowsError(try reloadable.current.resolve(Double.self))
    XCTAssertEqual(events.entries.suffix(1), ["failed Double"])
    XCTAssertEqual(events.entries.filter { $0 == "failed Double" }.count, 1)
    try await base.shutdown()
    XCTAssertEqual(events.entries.filter { $0.hasPrefix("disposed") }.count, 6)
  }

  func testABehaviorThatComesLaterIsToldOfTheVersionAndThoseAfterIt() async throws {
    try addServices()
    let reloadable = ReloadableContainer(base)
    _ = try reloadable.current.resolve(Cache.self)
    try await reloadable.reload(to: 2)
    base.add(Listener(log: events, prefix: ""))
    XCTAssertEqual(try events(of: reloadable), ["resolved Cache"])
    try await reloadable.reload { next in
      next.add(Listener(log: events, prefix: "own "))
      try next.register(value: "other")
    }.value
    try await reloadable.reload { try $0.register(value: "again") }.value
    let before = events.entries.count
    XCTAssertEqual(try events(of: reloadable)[before...], ["resolved Cache"])
    XCTAssertEqual(try reloadable.current.resolve(String.self), "again")
    XCTAssertEqual(
      events.entries.suffix(2).sorted(), ["own resolved String", "resolved String"])
  }

  func testWhatAVersionHasIsRecorded() async throws {
    try addServices()
    let reloadable = ReloadableContainer(base)
    try await reloadable.reload { next in
      try next.register(String.self, scope: .singleton) {
        "\(try $0.resolve(Settings.self).version)"
      }
    }
    let recording = base.recordDependencies()
    XCTAssertEqual(try reloadable.current.resolve(String.self), "1")
    recording.stop()
    for version in 2...3 {
      try await reloadable.reload(to: version)
      XCTAssertEqual(try reloadable.current.resolve(String.self), "\(version)")
    }
  }

  /// It was unknown what the new version's string depends on, and the next reload was refused.
  func testWhatAReloadBuildsIsRecorded() async throws {
    try addServices()
    try base.register(String.self, scope: .singleton) {
      "\(try $0.resolve(Settings.self).version)"
    }
    let reloadable = ReloadableContainer(base)
    let recording = base.recordDependencies()
    XCTAssertEqual(try reloadable.current.resolve(String.self), "1")
    try await reloadable.reload { next in
      try next.register(String.self, scope: .singleton) {
        "new \(try $0.resolve(Settings.self).version)"
      }
    }.value
    recording.stop()
    try await reloadable.reload(to: 2)
    XCTAssertEqual(try reloadable.current.resolve(String.self), "new 2")
  }

  /// It was told of what came after the reload.
  func testABehaviorThatComesDuringAReloadIsToldOfWhatThatBuilds() async throws {
    try addServices()
    let reloadable = ReloadableContainer(base)
    _ = try reloadable.current.resolve(Cache.self)
    try await reloadable.reload { [base, events] next in
      base.add(Listener(log: events, prefix: ""))
      try next.register(value: Settings(version: 2))
    }.value
    XCTAssertEqual(
      events.entries.filter { $0.hasPrefix("built") }, ["built Database", "built Cache"])
  }

  private struct Counter: Behavior {
    let count: AtomicCounter
    func didResolve(_ key: RegistrationKey, as instance: Any, in container: Container) {
      count.add()
    }
  }

  func testBehaviorsThatEndBesideReloadsAreToldOfNothingMore() async throws {
    try addServices()
    let (reloadable, count) = (ReloadableContainer(base), AtomicCounter())
    let isOver = AtomicCounter()
    try await onTasks(4) { [base] index in
      if index == 0 {
        defer { isOver.add() }
        for version in 2..<2 + StressSize.scaled(100) { try await reloadable.reload(to: version) }
        return
      }
      while isOver.value == 0 {
        let observers = TemporaryObservers([Counter(count: count)], of: base)
        _ = try await reloadable.scopes.withScope { try $0.resolve(Cache.self) }
        await Task.yield()
        observers.remove()
      }
    }
    let counted = count.value
    XCTAssertGreaterThan(counted, 0)
    _ = try reloadable.current.resolve(Cache.self)
    try await reloadable.reload(to: 0)
    _ = try reloadable.current.resolve(Cache.self)
    XCTAssertEqual(count.value, counted)
  }
}
