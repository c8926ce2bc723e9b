// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

/// `release` for one value of the arguments.
final class ReleaseByValueTests: ContainerTestCase {
  private let tracker = LifetimeTracker()

  private func registerInt(_ scope: AnyScope = .singleton) throws {
    try container.register(Tracked.self, scope: scope) { [tracker] (_, _: Int) in tracker.make() }
  }

  func testTheInstanceOfThisValueAloneIsReleased() throws {
    for scope in [AnyScope.singleton, .cached(for: .seconds(3600)), .weak] {
      let (container, tracker) = (Container(), LifetimeTracker())
      try container.register(Tracked.self, scope: scope) { (_, _: Int) in tracker.make() }
      var (seven, eight) = try (
        Optional(container.resolve(Tracked.self, arguments: 7)),
        container.resolve(Tracked.self, arguments: 8)
      )
      XCTAssertTrue(container.release(Tracked.self, arguments: 7))
      XCTAssertFalse(container.release(Tracked.self, arguments: 7), "there is none any more")
      XCTAssertFalse(container.release(Tracked.self, arguments: 9), "there was none")
      XCTAssert(try container.resolve(Tracked.self, arguments: 8) === eight)
      XCTAssert(try container.resolve(Tracked.self, arguments: 7) !== seven)
      XCTAssertEqual(tracker.created, 3)
      seven = nil
      eight = try container.resolve(Tracked.self, arguments: 7)
      XCTAssertEqual(eight.serial, scope == .weak ? 4 : 3)
    }
  }

  func testTheInstanceEndsInTheCall() throws {
    try registerInt()
    for value in 0..<3 { _ = try container.resolve(Tracked.self, arguments: value) }
    XCTAssertTrue(container.release(Tracked.self, arguments: 1))
    XCTAssertEqual(tracker.alive, 2)
  }

  func testSeveralArgumentsAreOneValue() throws {
    try container.register(Tracked.self, name: "n", scope: .singleton) {
      [tracker] (_, _: Int, _: String) in tracker.make()
    }
    _ = try container.resolve(Tracked.self, name: "n", arguments: 1, "a")
    XCTAssertFalse(container.release(Tracked.self, name: "n", arguments: 1, "b"))
    XCTAssertFalse(container.release(Tracked.self, arguments: 1, "a"), "another key")
    XCTAssertTrue(container.release(Tracked.self, name: "n", arguments: 1, "a"))
  }

  /// The types of the arguments, and no arguments at all, choose the other function.
  func testTypesReleaseTheInstancesOfAllValues() async throws {
    try registerInt()
    try container.register(Tracked.self, scope: .singleton) { [tracker] _ in tracker.make() }
    let fill = { [container] in
      _ = try container.resolve(Tracked.self)
      for value in 0..<3 { _ = try container.resolve(Tracked.self, arguments: value) }
    }
    try fill()
    XCTAssertTrue(container.release(Tracked.self, arguments: Int.self))
    XCTAssertEqual(tracker.alive, 1)
    XCTAssertTrue(container.release(Tracked.self))
    XCTAssertEqual(tracker.left, 0)
    try fill()
    let wasThere = try await container.release(
      Tracked.self, arguments: Int.self, disposing: true)
    XCTAssertTrue(wasThere)
    XCTAssertEqual(tracker.alive, 1)
  }

  func testWhatIsStoredElsewhereIsNotReleased() throws {
    XCTAssertFalse(container.release(Tracked.self, arguments: 7), "there is no registration")
    try registerInt(.transient)
    _ = try container.resolve(Tracked.self, arguments: 7)
    XCTAssertFalse(container.release(Tracked.self, arguments: 7))
    try registerInt(.scoped)
    try container.syncWithScope { scope in
      let instance = try scope.resolve(Tracked.self, arguments: 7)
      XCTAssertFalse(container.release(Tracked.self, arguments: 7))
      XCTAssert(try scope.resolve(Tracked.self, arguments: 7) === instance)
    }
  }

  // MARK: - Disposers

  func testAReleasedInstanceIsReportedAndTheOthersAreDisposedOfAtTheEnd() async throws {
    let (container, tracker, log) = (Container(), tracker, EventLog())
    Container.onUndisposed = { log.add("\($0.cause) \($0.instances.count)") }
    defer { Container.onUndisposed = nil }
    try container.register(Tracked.self, scope: .singleton) { (_, _: Int) in tracker.make() }
      .onDispose { log.add("disposed of \($0.serial)") }
    for value in 1...3 { _ = try container.resolve(Tracked.self, arguments: value) }
    container.release(Tracked.self, arguments: 2)
    XCTAssertEqual(log.entries, ["released 1"])
    try await container.shutdown()
    XCTAssertEqual(log.entries, ["released 1", "disposed of 3", "disposed of 1"])
  }

  func testAnInstanceIsDisposedOfOnRequest() async throws {
    let (container, tracker, log) = (Container(), tracker, EventLog())
    Container.onUndisposed = { log.add("\($0)") }
    defer { Container.onUndisposed = nil }
    try container.register(Tracked.self, scope: .singleton) { (_, _: Int) in tracker.make() }
      .onDispose { log.add("disposed of \($0.serial)") }
    for value in 1...3 { _ = try container.resolve(Tracked.self, arguments: value) }
    var found = try await container.release(Tracked.self, arguments: 2, disposing: true)
    XCTAssertTrue(found)
    XCTAssertEqual(log.entries, ["disposed of 2"])
    // The task that has disposed of the instance ends a moment later.
    await waitUntil { tracker.alive == 2 }
    found = try await container.release(Tracked.self, arguments: 2, disposing: true)
    XCTAssertFalse(found)
    XCTAssertEqual(try container.resolve(Tracked.self, arguments: 2).serial, 4)
    try await container.shutdown()
    XCTAssertEqual(log.entries.count, 4)
  }

  func testAnInstanceThatIsBeingBuiltIsWaitedForAndAnotherOneIsBuilt() async throws {
    let (container, tracker, log) = (Container(), tracker, EventLog())
    let (building, mayEnd, lobby) = (AsyncGate(), AsyncGate(), Lobby())
    Container.onUndisposed = { log.add("\($0)") }
    defer { Container.onUndisposed = nil }
    try container.registerAsync(Tracked.self, scope: .singleton) { (_, _: Int) in
      let isFirst = tracker.created == 0
      let made = tracker.make()
      if isFirst {
        building.open()
        await mayEnd.wait()
      }
      return made
    }.onDispose { log.add("disposed of \($0.serial)") }
    let resolving = Task { try await container.resolveAsync(Tracked.self, arguments: 7).serial }
    await building.wait()
    let disposing = Task {
      try await lobby.enter {
        try await container.release(Tracked.self, arguments: 7, disposing: true)
      }
    }
    await lobby.waitForSuspension(of: 1)
    let second = try await container.resolveAsync(Tracked.self, arguments: 7).serial
    XCTAssertEqual(second, 2)
    mayEnd.open()
    let (first, found) = (try await resolving.value, try await disposing.value)
    XCTAssertEqual(first, 1)
    XCTAssertTrue(found)
    XCTAssertEqual(log.entries, ["disposed of 1"])
    try await container.shutdown()
    XCTAssertEqual(log.entries, ["disposed of 1", "disposed of 2"])
  }

  func testAnInstanceThatIsReleasedWhileItIsBuiltIsReportedWhenItIsComplete() throws {
    let (container, tracker, log) = (Container(), tracker, EventLog())
    Container.onUndisposed = { log.add("\($0.cause) \($0.instances.count)") }
    defer { Container.onUndisposed = nil }
    try container.register(Tracked.self, scope: .singleton) { (_, value: Int) in
      if tracker.created == 0 {
        XCTAssertTrue(container.release(Tracked.self, arguments: value))
        XCTAssertEqual(log.entries, [])
      }
      return tracker.make()
    }.onDispose { _ in }
    XCTAssertEqual(try container.resolve(Tracked.self, arguments: 7).serial, 1)
    XCTAssertEqual(log.entries, ["released 1"])
    settleReclamation()
    XCTAssertEqual(tracker.alive, 0)
    XCTAssertEqual(try container.resolve(Tracked.self, arguments: 7).serial, 2)
    container.removeAll()
  }

  /// A resolve that waits for a construction which is released, and fails, builds where further
  /// resolves find the instance.
  func testWhoHasWaitedForAReleasedConstructionThatFailsFindsTheNextOne() async throws {
    let (container, tracker) = (Container(), tracker)
    let (building, mayEnd, lobby) = (AsyncGate(), AsyncGate(), Lobby())
    let attempts = AtomicCounter()
    try container.registerAsync(Tracked.self, scope: .singleton) { (_, _: Int) in
      if attempts.add() == 1 {
        building.open()
        await mayEnd.wait()
        throw FixtureError("the first one")
      }
      return tracker.make()
    }
    let first = Task { try await container.resolveAsync(Tracked.self, arguments: 7) }
    await building.wait()
    let waiting = Task {
      try await lobby.enter { try await container.resolveAsync(Tracked.self, arguments: 7) }
    }
    await lobby.waitForSuspension(of: 1)
    XCTAssertTrue(container.release(Tracked.self, arguments: 7))
    let next = try await container.resolveAsync(Tracked.self, arguments: 7)
    mayEnd.open()
    _ = await first.result
    if let waited = try? await waiting.value { XCTAssert(waited === next) }
    XCTAssertEqual(tracker.created, 1)
    let found = try await container.resolveAsync(Tracked.self, arguments: 7)
    XCTAssert(found === next)
  }

  // MARK: - Values that are not equal to themselves

  func testAStructureWithAValueThatIsNotEqualToItselfStoresNothing() throws {
    struct Place: Hashable, Sendable { let x: Double }
    try container.register(Tracked.self, scope: .singleton) { [tracker] (_, _: Place) in
      tracker.make()
    }
    for _ in 0..<3 {
      XCTAssertThrowsError(try container.resolve(Tracked.self, arguments: Place(x: .nan))) {
        XCTAssertTrue("\($0)".contains("not equal to itself"), "\($0)")
      }
    }
    XCTAssertEqual(tracker.created, 0)
    XCTAssertEqual(try container.resolve(Tracked.self, arguments: Place(x: 1)).serial, 1)
  }

  func testATransientTakesAValueThatIsNotEqualToItself() throws {
    try container.register(Tracked.self) { [tracker] (_, _: Double) in tracker.make() }
    XCTAssertNoThrow(try container.resolve(Tracked.self, arguments: Double.nan))
  }
}
