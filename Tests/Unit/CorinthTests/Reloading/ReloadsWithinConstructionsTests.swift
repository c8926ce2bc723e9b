// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

/// Reloads, and the end of the container, in factories, actions and disposers. Each of them hung.
final class ReloadsWithinConstructionsTests: ReloadTestCase {
  private func change(to version: Int) -> (Container) throws -> Void {
    { try $0.register(value: Settings(version: version)) }
  }

  /// Registers an asynchronous singleton that depends on the settings, and runs `body` when it is
  /// built of version 2.
  private func addAsyncDatabase(
    _ body: @escaping @Sendable () async throws -> Void = {},
    disposingBy dispose: @escaping @Sendable () async -> Void = {}
  ) throws {
    try base.register(value: Settings(version: 1))
    try base.registerAsync(Database.self) { [services] resolver in
      let version = try resolver.resolve(Settings.self).version
      if version == 2 { try await body() }
      return Database(services, version: version)
    }.as(.singleton).dependsOn(Settings.self).onDispose { [log] database in
      if database.version == 2 { await dispose() }
      log.add("Database \(database.version)")
    }
  }

  func testAReloadInAFactoryOfAReloadFails() async throws {
    let reloadable = ReloadableContainer(base)
    try addAsyncDatabase {
      try await reloadable.reload { try $0.register(value: Settings(version: 3)) }
    }
    _ = try await reloadable.current.resolveAsync(Database.self)
    await assertThrows {
      try await reloadable.reload(change(to: 2))
    } _: { error in
      XCTAssert(error.is(.warmUpFailed), "\(error)")
      XCTAssert("\(error)".contains("Database -> ReloadableContainer."), "\(error)")
    }
    try await reloadable.reload(to: 4)
    let version = try await reloadable.current.resolveAsync(Database.self).version
    XCTAssertEqual(version, 4)
  }

  func testAReloadInATaskOfAFactoryOfAReloadComesAfterIt() async throws {
    let reloadable = ReloadableContainer(base)
    let later = Locked<Task<Void, any Error>?>(nil)
    try addAsyncDatabase {
      let task = Task {
        _ = try await reloadable.reload { try $0.register(value: Settings(version: 3)) }
      }
      later.withLock { $0 = task }
    }
    _ = try await reloadable.current.resolveAsync(Database.self)
    try await reloadable.reload(change(to: 2))
    try await later.withLock { $0 }?.value
    let version = try await reloadable.current.resolveAsync(Database.self).version
    XCTAssertEqual(version, 3)
  }

  func testAFactoryReloadsWhenNoReloadIsUnderWay() async throws {
    try base.register(value: Settings(version: 1))
    let reloadable = ReloadableContainer(base)
    try base.registerAsync(Clock.self) { [services] _ in Clock(services) }
      .as(.singleton).dependsOn()
      .afterInit { _, _ in
        try await reloadable.reload { try $0.register(value: Settings(version: 2)) }
      }
    _ = try await reloadable.current.resolveAsync(Clock.self)
    XCTAssertEqual(try reloadable.current.resolve(Settings.self).version, 2)
  }

  func testAReloadInADisposerOfTheOldPartSucceeds() async throws {
    let reloadable = ReloadableContainer(base)
    try addAsyncDatabase(disposingBy: { [log] in
      do {
        try await reloadable.reload { try $0.register(value: Settings(version: 4)) }
      } catch { log.add("\(error)") }
    })
    _ = try await reloadable.current.resolveAsync(Database.self)
    try await reloadable.reload(to: 2)
    try await reloadable.reload(to: 3)
    let version = try await reloadable.current.resolveAsync(Database.self).version
    XCTAssertEqual(version, 4)
    try await base.shutdown()
    XCTAssertEqual(log.entries.prefix(2), ["Database 1", "Database 2"])
    // The disposal after the last reload may have begun before the end of the container, or is left
    // to that: the newest first.
    XCTAssertEqual(log.entries.dropFirst(2).sorted(), ["Database 3", "Database 4"])
  }

  func testAReloadInADisposerOfAVersionThatFailsFails() async throws {
    let reloadable = ReloadableContainer(base)
    try addAsyncDatabase(disposingBy: { [log] in
      let result = await outcome {
        try await reloadable.reload { try $0.register(value: Settings(version: 4)) }
      }
      if case .failure(let error) = result { log.add("\(error.is(.circularDependencyDetected))") }
    })
    _ = try await reloadable.current.resolveAsync(Database.self)
    await assertThrows {
      try await reloadable.reload { next in
        try next.register(value: Settings(version: 2))
        try next.registerAsync(
          String.self, scope: .singleton, with: .eager.dependsOn(Database.self)
        ) {
          _ in throw CancellationError()
        }
      }
    }
    XCTAssertEqual(log.entries, ["true", "Database 2"])
  }

  func testAReloadInADisposerOfTheEndFails() async throws {
    let reloadable = ReloadableContainer(base)
    try addAsyncDatabase(disposingBy: { [log] in
      let result = await outcome {
        try await reloadable.reload { try $0.register(value: Settings(version: 4)) }
      }
      if case .failure(let error) = result { log.add("\(error.is(.containerClosed))") }
    })
    _ = try await reloadable.current.resolveAsync(Database.self)
    try await reloadable.reload(to: 2)
    try await base.shutdown()
    XCTAssertEqual(log.entries, ["Database 1", "true", "Database 2"])
  }

  func testTheEndInAFactoryOfAReloadEndsTheReload() async throws {
    let reloadable = ReloadableContainer(base)
    let base = base
    try addAsyncDatabase { try await base.shutdown() }
    _ = try await reloadable.current.resolveAsync(Database.self)
    await assertThrows { try await reloadable.reload(change(to: 2)) }
    XCTAssert(base.isClosed)
    XCTAssert(reloadable.current === base)
    await services.waitUntilNoneIsLeft()
    XCTAssertEqual(services.alive, 0)
    XCTAssertEqual(log.entries.sorted(), ["Database 1", "Database 2"])
  }

  func testTheEndInADisposerOfTheOldPartIsTheEnd() async throws {
    let reloadable = ReloadableContainer(base)
    let base = base
    try addAsyncDatabase(disposingBy: { try? await base.shutdown() })
    _ = try await reloadable.current.resolveAsync(Database.self)
    try await reloadable.reload(to: 2)
    try await reloadable.reload(to: 3)
    XCTAssert(base.isClosed)
    XCTAssertEqual(log.entries.sorted(), ["Database 1", "Database 2", "Database 3"])
    await services.waitUntilNoneIsLeft()
    XCTAssertEqual(services.alive, 0)
  }

  func testTheEndInADisposerOfTheOldPartWaitsForNoOtherEnd() async throws {
    let reloadable = ReloadableContainer(base)
    let (base, isDisposing) = (base, AsyncGate())
    try addAsyncDatabase(disposingBy: {
      isDisposing.open()
      while !base.isClosed { await Task.yield() }
      try? await base.shutdown()
    })
    _ = try await reloadable.current.resolveAsync(Database.self)
    try await reloadable.reload(to: 2)
    let disposal = try await reloadable.reload(change(to: 3))
    await isDisposing.wait()
    try await base.shutdown()
    _ = await disposal.result
    XCTAssertEqual(log.entries.sorted(), ["Database 1", "Database 2", "Database 3"])
  }

  /// The disposal after a reload waits for the construction in the old version. Where undisposed
  /// instances are reported, the end let go of that before it was complete: it was reported
  /// instead.
  func testTheEndInAFactoryThatADisposalWaitsForIsTheEnd() async throws {
    Container.onUndisposed = { [log] report in log.add("\(report)") }
    defer { Container.onUndisposed = nil }
    let reloadable = ReloadableContainer(base)
    let base = base
    let (isBuilding, mayGoOn) = (AsyncGate(), AsyncGate())
    try base.register(value: Settings(version: 1))
    try base.registerAsync(Database.self) { [services] _ in
      isBuilding.open()
      await mayGoOn.wait()
      try await base.shutdown()
      return Database(services)
    }.as(.singleton).dependsOn(Settings.self).onDispose { [log] _ in log.add("disposed") }
    let building = Task { _ = try await reloadable.current.resolveAsync(Database.self) }
    await isBuilding.wait()
    let disposal = try await reloadable.reload(change(to: 2))
    for _ in 0..<100 { await Task.yield() }
    mayGoOn.open()
    _ = await building.result
    _ = await disposal.result
    XCTAssert(base.isClosed)
    await services.waitUntilNoneIsLeft()
    XCTAssertEqual(services.alive, 0)
    XCTAssertEqual(log.entries, ["disposed"])
  }

  /// A disposal past its limit reported that, too.
  func testWhatIsBuiltAfterTheLimitOfADisposalIsDisposedOf() async throws {
    Container.onUndisposed = { [log] report in log.add("\(report)") }
    defer { Container.onUndisposed = nil }
    let (isBuilding, mayGoOn) = (AsyncGate(), AsyncGate())
    try base.register(value: Settings(version: 1))
    try base.registerAsync(Database.self) { [services] resolver in
      let version = try resolver.resolve(Settings.self).version
      if version == 1 {
        isBuilding.open()
        await mayGoOn.wait()
      }
      return Database(services, version: version)
    }.as(.singleton).dependsOn(Settings.self).onDispose { [log] in
      log.add("Database \($0.version)")
    }
    let reloadable = ReloadableContainer(base)
    let building = Task { _ = try await reloadable.current.resolveAsync(Database.self) }
    await isBuilding.wait()
    let disposal = try await reloadable.reload(timeLimit: .milliseconds(20), change(to: 2))
    await assertThrows { try await disposal.value }
    mayGoOn.open()
    _ = await building.result
    try await base.shutdown()
    await services.waitUntilNoneIsLeft()
    XCTAssertEqual(log.entries, ["Database 1"])
  }

  /// A reload waits for a singleton of the container, whose factory ends the container, or reloads
  /// it.
  func testTheFactoryOfASharedSingletonWaitsForNoReloadThatWaitsForIt() async throws {
    for ends in [true, false] {
      let container = Container()
      let reloadable = ReloadableContainer(container)
      let (isBuilding, mayGoOn) = (AsyncGate(), AsyncGate())
      try container.register(value: Settings(version: 1))
      try container.registerAsync(Clock.self) { [services] _ in
        isBuilding.open()
        await mayGoOn.wait()
        if ends {
          try await container.shutdown()
        } else {
          try await reloadable.reload { try $0.register(value: Settings(version: 3)) }
        }
        return Clock(services)
      }.as(.singleton).dependsOn()
      try container.registerAsync(Database.self) { [services] resolver in
        if try resolver.resolve(Settings.self).version > 1 {
          mayGoOn.open()
          _ = try await resolver.resolveAsync(Clock.self)
        }
        return Database(services)
      }.as(.singleton).dependsOn(Settings.self)
      _ = try await reloadable.current.resolveAsync(Database.self)
      let clock = Task { try await reloadable.current.resolveAsync(Clock.self) }
      await isBuilding.wait()
      await assertThrows { try await reloadable.reload(change(to: 2)) }
      _ = await clock.result
      XCTAssertEqual(container.isClosed, ends)
      try await container.shutdown()
    }
    await services.waitUntilNoneIsLeft()
    XCTAssertEqual(services.alive, 0)
  }
}
