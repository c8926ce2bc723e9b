// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

/// Reloads that are cancelled or fail, or run beside others and the end of the container.
final class ReloadsBesideOthersTests: ReloadTestCase {
  func testAReloadThatIsCancelledWhileItWaitsLetsOthersBegin() async throws {
    let reloadable = ReloadableContainer(base)
    let (isBuilding, mayGoOn) = try addDatabaseHeldInVersion2()
    _ = try await reloadable.current.resolveAsync(Database.self)
    let first = Task { try await reloadable.reload(to: 2) }
    await isBuilding.wait()
    let second = Task { try await reloadable.reload(to: 3) }
    let third = Task { try await reloadable.reload(to: 4) }
    second.cancel()
    await Task.yield()
    mayGoOn.open()
    try await first.value
    await assertThrows {
      try await second.value
    } _: {
      XCTAssert($0 is CancellationError)
    }
    try await third.value
    XCTAssertEqual(try reloadable.current.resolve(Settings.self).version, 4)
  }

  func testAFailureBesideOtherFactoriesDisposesOfAllThatWasBuilt() async throws {
    try base.register(value: Settings(version: 1))
    let others = AtomicCounter()
    for number in 0..<8 {
      try base.registerAsync(Service.self, name: Name(number)) { [services] resolver in
        let version = try resolver.resolve(Settings.self).version
        if version == 2 {
          // Some are there, some are on the way, and some have not begun when one fails.
          if number == 3 {
            while others.value < 4 { await Task.yield() }
            throw CancellationError()
          }
          others.add()
          if number > 3 { try? await Task.sleep(for: .seconds(1000)) }
        }
        return Service(services, version: version)
      }.as(.singleton).dependsOn(Settings.self).onDispose { [log] in log.add("\($0.version)") }
    }
    let reloadable = ReloadableContainer(base)
    for number in 0..<8 {
      _ = try await reloadable.current.resolveAsync(Service.self, name: Name(number))
    }
    await assertThrows {
      try await reloadable.reload(maximumConcurrency: 4) {
        try $0.register(value: Settings(version: 2))
      }
    } _: { error in
      XCTAssert(error.is(.warmUpFailed), "\(error)")
    }
    XCTAssertEqual(services.created - 8, log.entries.count)
    XCTAssertEqual(Set(log.entries), ["2"])
    XCTAssertEqual(try reloadable.current.resolve(Settings.self).version, 1)
    try await reloadable.reload(to: 3)
    try await base.shutdown()
    await services.waitUntilNoneIsLeft()
    XCTAssertEqual(services.alive, 0)
    XCTAssertEqual(services.created, log.entries.count)
  }

  func testACancellationAtAnyTimeLeavesOneVersionAsAWhole() async throws {
    try base.register(value: Settings(version: 0))
    for number in 0..<4 {
      try base.registerAsync(Service.self, name: Name(number)) { [services] resolver in
        let version = try resolver.resolve(Settings.self).version
        for _ in 0..<number * 3 { await Task.yield() }
        try Task.checkCancellation()
        return Service(services, version: version)
      }.as(.singleton).dependsOn(Settings.self).onDispose { [log] service in
        await Task.yield()
        log.add("\(service.version)")
      }
    }
    let reloadable = ReloadableContainer(base)
    func versions() async throws -> Set<Int> {
      try await reloadable.scopes.withScope { scope in
        var found: Set<Int> = [try scope.resolve(Settings.self).version]
        for number in 0..<4 {
          found.insert(try await scope.resolveAsync(Service.self, name: Name(number)).version)
        }
        return found
      }
    }
    for round in 1...StressSize.scaled(60) {
      let before = try await versions()
      let reload = Task {
        try await reloadable.reload(maximumConcurrency: 1 + round % 4) {
          try $0.register(value: Settings(version: round))
        }
      }
      for _ in 0..<round { await Task.yield() }
      reload.cancel()
      let hasSucceeded = await outcome { try await reload.value }.isSuccess
      let after = try await versions()
      XCTAssertEqual(after, hasSucceeded ? [round] : before)
    }
    try await base.shutdown()
    XCTAssertEqual(log.entries.count, services.created)
    await services.waitUntilNoneIsLeft()
    XCTAssertEqual(services.alive, 0)
  }

  func testAContainerThatDrainsIsReloaded() async throws {
    try addServices()
    let reloadable = ReloadableContainer(base)
    _ = try reloadable.current.resolve(Cache.self)
    let scope = try reloadable.scopes.makeScope()
    let base = base
    let shutdown = Task { try await base.shutdown(draining: .seconds(3600)) }
    while !base.statistics.isDraining { await Task.yield() }
    let disposal = try await reloadable.reload { try $0.register(value: Settings(version: 2)) }
    await assertThrows {
      try await reloadable.scopes.withScope { _ in }
    } _: {
      XCTAssert($0.is(.scopeRefused), "\($0)")
    }
    XCTAssertEqual(try scope.resolve(Cache.self).version, 1)
    try await scope.close()
    try await disposal.value
    try await shutdown.value
    // The disposal after the reload may have begun before the end of the container, or is left to
    // that: the newest first.
    let (old, new) = (["Cache 1", "Database 1"], ["Cache 2", "Database 2"])
    XCTAssert([old + new, new + old].contains(log.entries), "\(log.entries)")
  }

  func testReloadsBesideTheEndDisposeOfEachInstanceOnce() async throws {
    for round in 0..<StressSize.scaled(50) {
      let container = Container()
      try container.register(value: Settings(version: 1))
      try add(Database.self, to: container, dependingOn: Settings.self) { [services] resolver in
        Database(services, version: try resolver.resolve(Settings.self).version)
      }
      let reloadable = ReloadableContainer(container)
      _ = try reloadable.current.resolve(Database.self)
      let (created, disposed) = (services.created - 1, log.entries.count)
      try await onTasks(4) { index in
        if index == 0 {
          for _ in 0..<round % 10 { await Task.yield() }
          return try await container.shutdown(draining: round % 2 == 0 ? .seconds(3600) : nil)
        }
        for version in 2..<8 {
          let result = await outcome { try await reloadable.reload(to: 10 * version + index) }
          if case .failure(let error) = result {
            let isAsExpected =
              error.is(.containerClosed) || error.is(.warmUpFailed)
              || (error as? RegistrationError) == .containerClosed
            XCTAssert(isAsExpected, "\(error)")
          }
          _ = await outcome {
            try await reloadable.scopes.withScope { try $0.resolve(Database.self) }
          }
        }
      }
      try await container.close()
      XCTAssertEqual(services.created - created, log.entries.count - disposed, "round \(round)")
      XCTAssert(reloadable.current === container)
    }
    await services.waitUntilNoneIsLeft()
    XCTAssertEqual(services.alive, 0)
  }

  /// All that a version depends on was gone with its registrations: the next one had those of the
  /// container.
  func testAReloadAfterTheEndOfTheVersionFails() async throws {
    try addServices()
    let reloadable = ReloadableContainer(base)
    try await reloadable.reload(to: 2)
    try await reloadable.current.close()
    await assertThrows {
      try await reloadable.reload(to: 3)
    } _: {
      XCTAssert($0.is(.containerClosed), "\($0)")
    }
    try await base.shutdown()
  }

  /// It was built from the settings of the version before, and stayed.
  func testWhatTheClosureOfAReloadBuildsIsBuiltAgain() async throws {
    try addServices()
    let reloadable = ReloadableContainer(base)
    _ = try reloadable.current.resolve(Cache.self)
    try await reloadable.reload { [services] next in
      try next.register(value: Settings(version: 2))
      try add(Cache.self, to: next, dependingOn: Database.self) { resolver in
        Cache(services, try resolver.resolve(Database.self))
      }
      XCTAssertEqual(try next.resolve(Cache.self).version, 1)
    }.value
    XCTAssertEqual(try reloadable.current.resolve(Cache.self).version, 2)
    XCTAssertEqual(log.entries, ["Cache 1", "Cache 1", "Database 1"])
    try await base.shutdown()
    XCTAssertEqual(log.entries.count, 5)
  }

  func testAThousandReloadsLeaveFewVersions() async throws {
    final class Reference: Sendable {
      weak let version: Container?
      init(_ version: Container) { self.version = version }
    }
    try addServices()
    let reloadable = ReloadableContainer(base)
    _ = try reloadable.current.resolve(Cache.self)
    var versions: [Reference] = []
    for number in 1...StressSize.scaled(1000) {
      if number % 3 == 0 {
        try await reloadable.reload { [services] next in
          try add(Clock.self, to: next) { _ in Clock(services) }
        }.value
      } else {
        try await reloadable.reload(to: number)
      }
      versions.append(Reference(reloadable.current))
    }
    settleReclamation()
    XCTAssertLessThanOrEqual(versions.filter { $0.version != nil }.count, 3)
    await services.waitUntil(alive: 2)
    let scope = try reloadable.scopes.makeScope()
    var disposals: [Task<Void, any Error>] = []
    for number in 1...StressSize.scaled(1000) {
      disposals.append(
        try await reloadable.reload { try $0.register(value: Settings(version: number)) })
    }
    try await scope.close()
    for disposal in disposals { try await disposal.value }
    await services.waitUntil(alive: 2)
    try await base.shutdown()
    XCTAssertEqual(log.entries.count, services.created)
  }
}

extension Result {
  fileprivate var isSuccess: Bool {
    if case .success = self { true } else { false }
  }
}
