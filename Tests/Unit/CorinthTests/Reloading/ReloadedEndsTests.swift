// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

/// The end of a container that has versions: one end, with one budget, which serves nothing from
/// its beginning on.
final class ReloadedEndsTests: ReloadTestCase {
  private func assertIsClosed(
    _ result: Result<some Any, any Error>, file: StaticString = #filePath, line: UInt = #line
  ) {
    guard case .failure(let error) = result else {
      return XCTFail("served: \(result)", file: file, line: line)
    }
    XCTAssert(error.is(.containerClosed), "\(error)", file: file, line: line)
  }

  /// Shuts down with short limits.
  ///
  /// - Returns: the failures.
  private func failuresOfShutdown(
    of base: Container? = nil, timeLimit: Duration = .milliseconds(20), total: Duration? = nil
  ) async throws -> [DisposalFailure] {
    let result = await outcome {
      try await (base ?? self.base).shutdown(timeLimit: timeLimit, totalTimeLimit: total)
    }
    guard case .failure(let error) = result else { return [] }
    guard case .disposalFailed(let failures)? = error as? CloseError else { throw error }
    return failures
  }

  // MARK: - Limits

  /// A disposer of the old part that hung kept the shutdown for ever: the reload had no limit.
  func testALimitHoldsBesideADisposerOfTheOldPart() async throws {
    for total in [nil, Duration.milliseconds(20)] {
      let base = Container()
      let (isDisposing, mayEnd) = (AsyncGate(), AsyncGate())
      try base.register(value: Settings(version: 1))
      try base.register(Database.self, scope: .singleton) { [services] resolver in
        Database(services, version: try resolver.resolve(Settings.self).version)
      }.dependsOn(Settings.self).onDispose { database in
        if database.version > 1 { return }
        isDisposing.open()
        await mayEnd.wait()
      }
      let reloadable = ReloadableContainer(base)
      _ = try reloadable.current.resolve(Database.self)
      let disposal = try await reloadable.reload {
        try $0.register(value: Settings(version: 2))
      }
      await isDisposing.wait()
      let failures = try await failuresOfShutdown(of: base, total: total)
      XCTAssertEqual(failures.first?.key, RegistrationKey(product: Database.self))
      XCTAssert(failures.first?.error is TimeLimitExceeded, "\(failures)")
      mayEnd.open()
      _ = await disposal.result
    }
  }

  /// A factory of a reload under way did the same.
  func testALimitHoldsBesideAReloadUnderWay() async throws {
    for total in [nil, Duration.milliseconds(20)] {
      let base = Container()
      let (isBuilding, mayEnd) = (AsyncGate(), AsyncGate())
      try base.register(value: Settings(version: 1))
      try base.registerAsync(Database.self) { [services] resolver in
        let version = try resolver.resolve(Settings.self).version
        if version == 2 {
          isBuilding.open()
          await mayEnd.wait()
        }
        return Database(services, version: version)
      }.as(.singleton).dependsOn(Settings.self).onDispose { [log] database in
        log.add("Database \(database.version)")
      }
      let reloadable = ReloadableContainer(base)
      _ = try await reloadable.current.resolveAsync(Database.self)
      let reload = Task { try await reloadable.reload(to: 2) }
      await isBuilding.wait()
      let failures = try await failuresOfShutdown(of: base, total: total)
      XCTAssertEqual(failures.first?.key, RegistrationKey(product: Database.self))
      XCTAssert("\(failures.first?.error as Any)".contains("the construction had not ended"))
      mayEnd.open()
      assertIsClosed(await reload.result)
    }
    XCTAssertEqual(log.entries.filter { $0 == "Database 2" }.count, 2)
  }

  func testALimitHoldsBesideAReloadWhoseClosureHangs() async throws {
    let (isRegistering, mayEnd) = (AsyncGate(), Locked(false))
    try addServices()
    let reloadable = ReloadableContainer(base)
    let reload = Task.detached {
      try await reloadable.reload { version in
        try version.register(value: Settings(version: 2))
        isRegistering.open()
        while !mayEnd.withLock({ $0 }) { usleep(1000) }
      }
    }
    await isRegistering.wait()
    let result = await outcome { try await base.shutdown(timeLimit: .milliseconds(20)) }
    mayEnd.withLock { $0 = true }
    guard case .failure(let error) = result else { return XCTFail("no failure") }
    XCTAssert("\(error)".contains("1 reload did not end in time."), "\(error)")
    XCTAssert("\(error)".contains("the reload that registers it had not ended"), "\(error)")
    assertIsClosed(await reload.result)
  }

  /// Each version had the whole time: as many times as there had been reloads.
  func testTheTotalLimitIsOneForAllVersions() async throws {
    let mayEnd = AsyncGate()
    let reloadable = ReloadableContainer(base)
    for version in 0..<5 {
      try await reloadable.reload { next in
        try next.register(Database.self, name: Name("\(version)"), scope: .singleton) {
          [services] _ in Database(services)
        }.dependsOn().onDispose { _ in await mayEnd.wait() }
      }.value
      _ = try reloadable.current.resolve(Database.self, name: Name("\(version)"))
    }
    let failures = try await failuresOfShutdown(timeLimit: .seconds(100), total: .milliseconds(50))
    mayEnd.open()
    XCTAssertEqual(failures.count, 5)
    let begun = failures.count { ($0.error as? TimeLimitExceeded)?.wasBegun ?? true }
    XCTAssertEqual(begun, 1, "\(failures)")
  }

  func testEachDisposerOfTheOldPartHasItsTime() async throws {
    let reloadable = ReloadableContainer(base)
    try addServices()
    let isDisposing = AsyncGate()
    for name in 0..<8 {
      try base.register(Clock.self, name: Name("\(name)"), scope: .singleton) { [services] _ in
        Clock(services)
      }.dependsOn(Settings.self).onDispose { [log] _ in
        isDisposing.open()
        try await Task.sleep(for: .milliseconds(300))
        log.add("disposed")
      }
      _ = try base.resolve(Clock.self, name: Name("\(name)"))
    }
    let disposal = try await reloadable.reload { [services] version in
      for name in 0..<8 {
        try version.register(Clock.self, name: Name("\(name)"), scope: .singleton) { _ in
          Clock(services)
        }.dependsOn()
      }
    }
    await isDisposing.wait()
    // Less than all of them take together, much more than one takes.
    let failures = try await failuresOfShutdown(timeLimit: .seconds(2))
    XCTAssertEqual(failures.count, 0, "\(failures)")
    try await disposal.value
    XCTAssertEqual(log.entries.filter { $0 == "disposed" }.count, 8)
  }

  // MARK: - Refusal

  /// It served the version before the first reload, and built that: a pool of connections to the
  /// old host.
  func testAContainerThatEndsServesNoVersion() async throws {
    let (isDisposing, mayEnd) = (AsyncGate(), AsyncGate())
    try base.register(value: Settings(version: 1))
    try base.register(Database.self, scope: .singleton) { [services] resolver in
      Database(services, version: try resolver.resolve(Settings.self).version)
    }.dependsOn(Settings.self).onDispose { _ in
      isDisposing.open()
      await mayEnd.wait()
    }
    let reloadable = ReloadableContainer(base)
    let first = reloadable.current
    try await reloadable.reload(to: 2)
    let (second, scope) = (reloadable.current, try reloadable.scopes.makeScope())
    _ = try scope.resolve(Database.self)
    let base = base
    let shutdown = Task { try await base.shutdown() }
    await isDisposing.wait()
    XCTAssert(reloadable.current === base)
    for container in [base, reloadable.current, first, second, scope] {
      assertIsClosed(await outcome { try container.resolve(Settings.self) })
      assertIsClosed(await outcome { try container.resolve(Database.self) })
      assertIsClosed(await outcome { try await container.resolveAsync(Database.self) })
      assertIsClosed(await outcome { try container.resolveIfRegistered(Database.self) })
    }
    assertIsClosed(await outcome { try reloadable.scopes.makeScope().resolve(Settings.self) })
    await assertThrows {
      try await reloadable.scopes.withScope { _ in }
    } _: {
      XCTAssert($0.is(.scopeRefused), "\($0)")
    }
    assertIsClosed(await outcome { try await reloadable.reload(to: 3) })
    XCTAssertEqual(services.created, 1)
    mayEnd.open()
    try await shutdown.value
  }

  /// What it asked for seemed to be missing: the new version shared what depends on the change, and
  /// served it.
  func testAReloadWhoseClosureRunsAsTheEndBeginsFails() async throws {
    for isOptional in [false, true] {
      for validating in [false, true] {
        let base = Container()
        try base.register(value: Settings(version: 1))
        try add(Database.self, to: base, dependingOn: Settings.self) { [services] resolver in
          Database(services, version: try resolver.resolve(Settings.self).version)
        }
        try add(
          Cache.self, to: base, dependingOn: isOptional ? Database?.self : Database.self
        ) { [services] resolver in
          let database = try resolver.resolveIfRegistered(Database.self)
          return Cache(services, try XCTUnwrap(database))
        }
        let (reloadable, created) = (ReloadableContainer(base), services.created)
        _ = try reloadable.current.resolve(Cache.self)
        let end = Locked<Task<Void, any Error>?>(nil)
        let reload = Task.detached {
          try await reloadable.reload(validating: validating) { version in
            try version.register(value: Settings(version: 2))
            end.withLock { $0 = Task.detached { try await base.shutdown() } }
            while reloadable.current !== base { usleep(100) }
          }
        }
        assertIsClosed(await reload.result)
        try await end.withLock { $0 }?.value
        XCTAssertEqual(services.created, created + 2)
      }
    }
    XCTAssertEqual(
      log.entries, Array(repeating: ["Cache 1", "Database 1"], count: 4).flatMap(\.self))
  }

  func testReloadsThatWaitForAnotherOneFailAsTheEndBegins() async throws {
    let (isBuilding, mayEnd) = try addDatabaseHeldInVersion2()
    let (reloadable, base) = (ReloadableContainer(base), base)
    _ = try await reloadable.current.resolveAsync(Database.self)
    let first = Task { try await reloadable.reload(to: 2) }
    await isBuilding.wait()
    let waiting = (3..<6).map { version in Task { try await reloadable.reload(to: version) } }
    let shutdown = Task { try await base.shutdown() }
    for task in waiting { assertIsClosed(await task.result) }
    mayEnd.open()
    assertIsClosed(await first.result)
    try await shutdown.value
  }

  // MARK: - Order

  func testVersionsEndNewestFirstAndTheContainerLast() async throws {
    try addServices()
    let reloadable = ReloadableContainer(base)
    _ = try reloadable.current.resolve(Clock.self)
    for name in ["a", "b"] {
      try await reloadable.reload { version in
        try version.register(Database.self, name: Name(name), scope: .singleton) {
          [services] resolver in
          _ = try resolver.resolve(Clock.self)
          return Database(services)
        }.dependsOn(Clock.self).onDispose { [log] _ in log.add(name) }
      }.value
      _ = try reloadable.current.resolve(Database.self, name: Name(name))
    }
    try await base.shutdown()
    XCTAssertEqual(log.entries, ["b", "a", "Clock 0"])
  }

  /// The end of a version that the end of the container has begun is the same closing.
  func testACloserOfAVersionWaitsForTheEndOfTheContainer() async throws {
    let (isDisposing, mayEnd) = (AsyncGate(), AsyncGate())
    try addServices()
    let reloadable = ReloadableContainer(base)
    try await reloadable.reload { version in
      try version.register(Database.self, scope: .singleton) { [services] _ in
        Database(services)
      }.dependsOn().onDispose { [log] _ in
        isDisposing.open()
        await mayEnd.wait()
        log.add("disposed")
      }
    }.value
    _ = try reloadable.current.resolve(Database.self)
    let (version, base) = (reloadable.current, base)
    let shutdown = Task { try await base.shutdown() }
    await isDisposing.wait()
    let closing = Task { [log] in
      try await version.close()
      log.add("closed")
    }
    for _ in 0..<100 { await Task.yield() }
    mayEnd.open()
    try await closing.value
    try await shutdown.value
    XCTAssertEqual(log.entries, ["disposed", "closed"])
  }

  /// The closing of the container waits for the disposer, which must not wait for that.
  func testADisposerOfAVersionMayEndTheContainerAndTheVersion() async throws {
    let reloadable = ReloadableContainer(base)
    let base = base
    try await reloadable.reload { version in
      try version.register(Database.self, scope: .singleton) { [services] _ in
        Database(services)
      }.dependsOn().onDispose { [log] _ in
        try await base.shutdown()
        try await version.close()
        log.add("disposed")
      }
    }.value
    _ = try reloadable.current.resolve(Database.self)
    try await base.shutdown()
    XCTAssertEqual(log.entries, ["disposed"])
  }

  /// The end waits for the reload under way, and that for the disposer of what it has made in vain.
  func testADisposerOfAFailedReloadMayEndTheContainerThatEnds() async throws {
    let isDisposing = AsyncGate()
    try base.register(value: Settings(version: 1))
    let (reloadable, base) = (ReloadableContainer(base), base)
    let reload = Task { [log, services] in
      try await reloadable.reload { version in
        try version.register(Database.self, scope: .singleton, with: .eager) { _ in
          Database(services)
        }.dependsOn().onDispose { _ in
          isDisposing.open()
          while !base.isClosed { await Task.yield() }
          try await base.shutdown()
          log.add("disposed")
        }
        try version.register(Clock.self, scope: .singleton, with: .eager) { resolver in
          _ = try resolver.resolve(Database.self)
          throw CancellationError()
        }.dependsOn(Database.self)
      }
    }
    await isDisposing.wait()
    try await base.shutdown()
    _ = await reload.result
    XCTAssertEqual(log.entries, ["disposed"])
  }

  // MARK: - Outside of units of work

  /// Those since the call before.
  private func takeEntries() -> [String] {
    defer { taken = log.entries.count }
    return Array(log.entries[taken...])
  }
  private var taken: Int {
    get { takenCount.withLock { $0 } }
    set { takenCount.withLock { $0 = newValue } }
  }
  private let takenCount = Locked(0)

  /// The cache that the container had built again kept a database that was disposed of, and ended
  /// after that.
  func testWhatIsBuiltAgainOutsideOfUnitsEndsBeforeWhatItWasBuiltFrom() async throws {
    struct Limits: Sendable {}
    for usesVersion in [false, true] {
      let container = Container()
      try container.register(value: Settings(version: 1))
      try container.register(value: Limits())
      try add(Clock.self, to: container) { [services] _ in Clock(services) }
      try add(Database.self, to: container, dependingOn: Settings.self) { [services] resolver in
        Database(services, version: try resolver.resolve(Settings.self).version)
      }
      try add(Cache.self, to: container, dependingOn: Database.self, Limits.self) {
        [services] resolver in Cache(services, try resolver.resolve(Database.self))
      }
      let reloadable = ReloadableContainer(container)
      if usesVersion {
        // A version stays as long as something of it is shared.
        try await reloadable.reload { [services] version in
          try version.register(String.self, scope: .singleton) { _ in "shared" }.dependsOn()
          try version.register(Cache.self, scope: .singleton) {
            Cache(services, try $0.resolve(Database.self))
          }.dependsOn(Database.self, Limits.self).onDispose { [log] in
            log.add("Cache \($0.version)")
          }
        }.value
      }
      let outside = usesVersion ? reloadable.current : container
      _ = try outside.resolve(Cache.self)
      _ = try outside.resolve(Clock.self)
      try await reloadable.reload { try $0.register(value: Limits()) }.value
      XCTAssertEqual(takeEntries(), ["Cache 1"])
      _ = try outside.resolve(Cache.self)
      try await reloadable.reload(to: 2)
      // The one of the version that the reload has replaced, and the other one.
      XCTAssertEqual(takeEntries(), ["Cache 1", "Cache 1", "Database 1"])
      let cache = try outside.resolve(Cache.self)
      XCTAssert(try outside.resolve(Database.self) === cache.database)
      try await container.shutdown()
      XCTAssertEqual(
        takeEntries(), ["Cache 2", "Database 2", "Cache 1", "Database 1", "Clock 0"])
    }
    await services.waitUntilNoneIsLeft()
    XCTAssertEqual(services.alive, 0)
  }

  /// A version that nothing is shared of any more ends, and its values with it: before it those
  /// that were built from these.
  func testWhatIsBuiltAgainEndsBeforeTheVersionThatItWasBuiltFrom() async throws {
    let reloadable = ReloadableContainer(base)
    try await reloadable.reload { [log, services] version in
      try version.register(value: Settings(version: 1))
        .onDispose { _ in log.add("Settings 1") }
      try version.register(Clock.self, scope: .singleton) { _ in Clock(services) }.dependsOn()
    }.value
    try await reloadable.reload { [log, services] version in
      try version.register(String.self, scope: .singleton) { _ in "shared" }.dependsOn()
      try version.register(Database.self, scope: .singleton) { resolver in
        Database(services, version: try resolver.resolve(Settings.self).version)
      }.dependsOn(Settings.self).onDispose { log.add("Database \($0.version)") }
    }.value
    let second = reloadable.current
    try await reloadable.reload(to: 2)
    _ = try second.resolve(Database.self)
    try await reloadable.reload { [services] version in
      try version.register(Clock.self, scope: .singleton) { _ in Clock(services) }.dependsOn()
    }.value
    XCTAssertEqual(log.entries, ["Database 1", "Settings 1"])
    try await base.shutdown()
    XCTAssertEqual(log.entries, ["Database 1", "Settings 1"])
  }
}
