// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

/// Registrations that are overridden while others use them.
final class ReplaceTests: ShutdownTestCase {
  private func addPool() async throws -> NodeA {
    try container.registerAsync(NodeA.self) { [tracker] _ in
      await Task.yield()
      return CompanionOf(tracker)
    }.as(.singleton).onDispose { [log] in log.add("disposed of \($0.serial)") }
    return try await container.resolveAsync(NodeA.self)
  }

  func testTheOldInstanceIsServedUntilTheNewOneIsBuilt() async throws {
    let (container, building, mayEnd) = (container, AsyncGate(), AsyncGate())
    let old = try await addPool()
    let replacing = Task { [tracker] in
      try await container.replace(NodeA.self) { resolver in
        building.open()
        await mayEnd.wait()
        // Its own key leads to the old one.
        return CompanionOf<A>(tracker, try resolver.resolve(NodeA.self))
      }
    }
    await building.wait()
    XCTAssert(try container.resolve(NodeA.self) === old)
    mayEnd.open()
    try await replacing.value
    let new = try container.resolve(NodeA.self)
    XCTAssertEqual(new.serial, 2)
    XCTAssert(new.other === old)
    XCTAssertEqual(tracker.created, 2, "each is built once")
  }

  func testTheNewRegistrationKeepsTheDisposers() async throws {
    let container = container
    _ = try await addPool()
    try await container.replace(NodeA.self) { [tracker] _ in CompanionOf(tracker) }
    XCTAssertEqual(log.entries, [])
    try await container.shutdown()
    XCTAssertEqual(log.entries, ["disposed of 2"], "the old one was let go of")
  }

  func testTheOldInstanceIsDisposedOfOnRequestAfterTheSwap() async throws {
    let (container, log) = (container, log)
    _ = try await addPool()
    try await container.replace(NodeA.self, disposingOfOld: true) { [tracker] _ in
      log.add("built")
      return CompanionOf(tracker)
    }
    XCTAssertEqual(log.entries, ["built", "disposed of 1"])
    XCTAssertEqual(try container.resolve(NodeA.self).serial, 2)
  }

  func testAnInstanceThatIsLetGoOfIsReported() async throws {
    let container = container
    let reports = EventLog()
    _ = try await addPool()
    Container.onUndisposed = { reports.add("\($0.cause)") }
    defer { Container.onUndisposed = nil }
    try await container.replace(NodeA.self, disposingOfOld: true) { [tracker] _ in
      CompanionOf(tracker)
    }
    XCTAssertEqual(reports.entries, [])
    try await container.replace(NodeA.self) { [tracker] _ in CompanionOf(tracker) }
    try await container.replace(NodeA.self) { [tracker] _ in CompanionOf(tracker) }
    XCTAssertEqual(reports.entries, ["overridden", "overridden"])
  }

  func testAFailureChangesNothing() async throws {
    struct Unreachable: Error {}
    let container = container
    let old = try await addPool()
    await assertThrows {
      try await container.replace(NodeA.self) { _ in throw Unreachable() }
    } _: {
      XCTAssert(($0 as? ResolutionError)?.underlyingError is Unreachable)
    }
    XCTAssertThrowsError(try container.syncReplace(NodeA.self) { _ in throw Unreachable() })
    XCTAssert(try container.resolve(NodeA.self) === old)
    try await container.shutdown()
    XCTAssertEqual(log.entries, ["disposed of 1"])
  }

  func testACancelledReplacementChangesNothing() async throws {
    let (container, building) = (container, AsyncGate())
    let old = try await addPool()
    let replacing = Task { [tracker] in
      try await container.replace(NodeA.self) { _ in
        building.open()
        try await Task.sleep(for: .seconds(3600))
        return CompanionOf<A>(tracker)
      }
    }
    await building.wait()
    replacing.cancel()
    let result = await replacing.result
    XCTAssertThrowsError(try result.get())
    XCTAssert(try container.resolve(NodeA.self) === old)
  }

  func testWhatACancelledFactoryBuildsAllTheSameIsDisposedOf() async throws {
    let (container, log, building, mayEnd) = (container, log, AsyncGate(), AsyncGate())
    let isDisposed = AsyncGate()
    try container.registerAsync(NodeA.self) { [tracker] _ in CompanionOf<A>(tracker) }
      .as(.singleton).onDispose {
        log.add("disposed of \($0.serial)")
        isDisposed.open()
      }
    let old = try await container.resolveAsync(NodeA.self)
    let replacing = Task { [tracker] in
      try await container.replace(NodeA.self) { _ in
        building.open()
        await mayEnd.wait()
        return CompanionOf<A>(tracker)
      }
    }
    await building.wait()
    replacing.cancel()
    let result = await replacing.result
    XCTAssertThrowsError(try result.get())
    mayEnd.open()
    await isDisposed.wait()
    XCTAssertEqual(log.entries, ["disposed of \(old.serial + 1)"])
    XCTAssert(try container.resolve(NodeA.self) === old)
  }

  func testTheErrorOfAKeyOfAnAncestorSaysWhereToReplaceIt() async throws {
    try add(A.self)
    for descendant in [Container(parent: container), container.makeScope()] {
      XCTAssertThrowsError(
        try descendant.syncReplace(NodeA.self) { [tracker] _ in CompanionOf(tracker) }
      ) { error in
        XCTAssertTrue(error.is(.noRegistrationFound), "\(error)")
        XCTAssertTrue("\(error)".contains("replace it there"), "\(error)")
      }
    }
  }

  func testWhatIsBuiltForAContainerThatClosesIsDisposedOf() async throws {
    let (container, log) = (container, log)
    _ = try await addPool()
    await assertThrows {
      try await container.replace(NodeA.self) { [tracker] _ in
        try await container.shutdown()
        return CompanionOf(tracker)
      }
    } _: {
      XCTAssertTrue($0.is(RegistrationError.containerClosed), "\($0)")
    }
    XCTAssertEqual(log.entries, ["disposed of 1", "disposed of 2"])
  }

  func testAKeyThatIsMissingOrFinalIsRefusedBeforeAnythingIsBuilt() async throws {
    let container = container
    try container.register(NodeB.self, onDuplicate: .refuse) { [tracker] _ in CompanionOf(tracker) }
    await assertThrows {
      try await container.replace(NodeA.self) { [tracker] _ in CompanionOf(tracker) }
    } _: {
      XCTAssertTrue($0.is(.noRegistrationFound))
    }
    await assertThrows {
      try await container.replace(NodeB.self) { [tracker] _ in CompanionOf(tracker) }
    } _: {
      XCTAssertTrue($0.is(RegistrationError.alreadyRegistered))
    }
    XCTAssertThrowsError(
      try container.syncReplace(NodeB.self) { [tracker] _ in CompanionOf(tracker) })
    XCTAssertEqual(tracker.created, 0)
  }

  func testASynchronousReplacementIsBuiltFirstToo() throws {
    try add(A.self)
    let old = try container.resolve(NodeA.self)
    try container.syncReplace(NodeA.self) { [tracker] resolver in
      CompanionOf(tracker, try resolver.resolve(NodeA.self))
    }
    XCTAssertEqual(tracker.created, 2)
    XCTAssert(try container.resolve(NodeA.self).other === old)
  }

  /// Each replacement used to be asynchronous, and so was the registration for ever: after a
  /// release, in a fork and of a transient, synchronous resolves failed.
  func testAFactoryThatDoesNotAwaitLeavesTheRegistrationSynchronous() async throws {
    let (container, log) = (container, log)
    try container.register(NodeA.self) { [tracker] _ in CompanionOf<A>(tracker) }
      .as(.singleton).onDispose { log.add("disposed of \($0.serial)") }
    try container.register(NodeB.self) { [tracker] _ in CompanionOf(tracker) }
    let old = try container.resolve(NodeA.self)
    try await container.replace(NodeA.self, disposingOfOld: true) { [tracker] _ in
      CompanionOf(tracker)
    }
    XCTAssertEqual(log.entries, ["disposed of \(old.serial)"])
    let new = try container.resolve(NodeA.self)
    XCTAssertEqual(new.serial, old.serial + 1)
    XCTAssertEqual(try container.fork().resolve(NodeA.self).serial, new.serial + 1)
    try await container.release(NodeA.self, disposing: true)
    XCTAssertEqual(try container.resolve(NodeA.self).serial, new.serial + 2)
    try await container.replace(NodeB.self) { [tracker] _ in CompanionOf(tracker) }
    XCTAssertNoThrow(try container.resolve(NodeB.self))
    try container.decorate(NodeA.self) { node, _ in node }
    XCTAssertNoThrow(try container.resolve(NodeA.self))
    try await container.shutdown()
  }

  func testAFactoryThatAwaitsMakesTheRegistrationAsynchronous() async throws {
    let container = container
    try add(A.self)
    try await container.replace(NodeA.self) { [tracker] _ in
      await Task.yield()
      return CompanionOf(tracker)
    }
    let new = try container.resolve(NodeA.self)
    container.release(NodeA.self)
    XCTAssertThrowsError(try container.resolve(NodeA.self)) {
      XCTAssertTrue($0.is(.asyncResolutionRequired), "\($0)")
    }
    let next = try await container.resolveAsync(NodeA.self)
    XCTAssertFalse(next === new)
    XCTAssert(try container.resolve(NodeA.self) === next)
    // An asynchronous one becomes synchronous so.
    try await container.replace(NodeA.self) { [tracker] _ in CompanionOf(tracker) }
    container.release(NodeA.self)
    XCTAssertNoThrow(try container.resolve(NodeA.self))
  }

  func testScopesThatStoreNoInstanceAreOverridden() async throws {
    let container = container
    try container.register(NodeA.self) { [tracker] _ in CompanionOf(tracker) }
    try container.register(NodeB.self, scope: .scoped) { [tracker] _ in CompanionOf(tracker) }
    try await container.replace(NodeA.self) { [tracker] _ in CompanionOf(tracker, nil) }
    try await container.replace(NodeB.self) { [tracker] _ in CompanionOf(tracker) }
    XCTAssertEqual(tracker.created, 0)
    try await container.withScope { scope in
      let first = try await scope.resolveAsync(NodeB.self)
      XCTAssert(try scope.resolve(NodeB.self) === first)
    }
  }
}
