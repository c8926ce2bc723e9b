// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

/// `removeAll(where:)`, `releaseAll(where:)`.
final class RemoveWhereTests: ContainerTestCase {
  private let tracker = LifetimeTracker()

  private func register(_ names: Name...) throws {
    for name in names {
      try container.register(Tracked.self, name: name, scope: .singleton) { [tracker] _ in
        tracker.make()
      }
      _ = try container.resolve(Tracked.self, name: name)
    }
  }

  func testRegistrationsThatAPredicatePicksAreRemovedWithTheirInstances() throws {
    try register("a", "b", "c")
    XCTAssertEqual(container.removeAll { $0.key.name != "b" }, 2)
    XCTAssertEqual(container.registrations.map(\.key.name), ["b"])
    XCTAssertEqual(tracker.alive, 1)
    XCTAssertEqual(container.removeAll { _ in false }, 0)
  }

  func testAParentsRegistrationsStay() throws {
    try register("a")
    let child = Container(parent: container)
    XCTAssertEqual(child.removeAll { _ in true }, 0)
    XCTAssertTrue(container.contains(Tracked.self, name: "a"))
  }

  func testInstancesThatAPredicatePicksAreReleased() throws {
    try register("a", "b")
    let recorder = Recorder()
    try container.register(Tracked.self) { [tracker] _ in tracker.make() }.as(recorder)
    _ = try container.resolve(Tracked.self)
    try container.register(Int.self, scope: .singleton) { _ in 1 }
    XCTAssertEqual(container.releaseAll { $0.key.name != "b" }, 2)
    XCTAssertEqual(tracker.alive, 1)
    XCTAssertEqual(container.registrations.count, 4)
    XCTAssertEqual(try container.resolve(Tracked.self, name: "a").serial, 4)
    XCTAssertEqual(try container.resolve(Tracked.self, name: "b").serial, 2)
  }

  func testThePredicateMayUseTheContainer() throws {
    try register("a", "b")
    let container = container
    let removed = try container.removeAll { listed in
      try container.register(Int.self) { _ in 1 }
      return try container.resolve(key: listed.key) is Tracked
    }
    XCTAssertEqual(removed, 2)
    XCTAssertEqual(try container.resolve(Int.self), 1)
  }

  func testAPredicateThatThrowsRemovesNothing() throws {
    try register("a", "b")
    XCTAssertThrowsError(
      try container.removeAll { listed in
        if listed.key.name == "b" { throw FixtureError("b") }
        return true
      })
    XCTAssertEqual(container.registrations.count, 2)
    XCTAssertEqual(tracker.alive, 2)
  }

  func testWhatHasBeenOverriddenSinceStays() throws {
    try register("a")
    let tracker = tracker
    let container = container
    let removed = try container.removeAll { _ in
      try container.register(Tracked.self, name: "a") { _ in tracker.make() }
      return true
    }
    XCTAssertEqual(removed, 0)
    XCTAssertTrue(container.contains(Tracked.self, name: "a"))
  }

  func testWhatHasBeenModifiedSinceIsRemoved() throws {
    let registration = try container.register(Int.self) { _ in 1 }
    let removed = container.removeAll { _ in
      registration.as(.singleton)
      return true
    }
    XCTAssertEqual(removed, 1)
    XCTAssertFalse(container.contains(Int.self))
  }

  func testUndisposedInstancesWithDisposersAreReported() throws {
    let dropped = Locked<[UndisposedReport.Cause]>([])
    Container.onUndisposed = { report in dropped.withLock { $0.append(report.cause) } }
    defer { Container.onUndisposed = nil }
    for _ in 0..<2 {
      try container.register(Tracked.self) { [tracker] _ in tracker.make() }
        .as(.singleton).onDispose { _ in }
      _ = try container.resolve(Tracked.self)
      container.releaseAll { _ in true }
      _ = try container.resolve(Tracked.self)
      container.removeAll { _ in true }
    }
    XCTAssertEqual(dropped.withLock { $0 }, [.released, .removed, .released, .removed])
  }

  func testWithoutAPredicateAllRegistrationsAreRemovedAndCounted() throws {
    try register("a", "b")
    XCTAssertEqual(container.removeAll(), 2)
    XCTAssertTrue(container.registrations.isEmpty)
    XCTAssertEqual(tracker.left, 0)
    XCTAssertEqual(container.removeAll(), 0)
  }

  func testWithoutAPredicateAForkRemovesAndCountsWhatItsBaseHas() throws {
    try register("a", "b")
    let disposed = Locked(0)
    try container.register(value: "shared", as: String.self).onDispose { _ in
      disposed.withLock { $0 += 1 }
    }
    let fork = container.fork()
    try fork.register(Int.self) { _ in 1 }
    XCTAssertEqual(fork.removeAll(), 4)
    XCTAssertTrue(fork.registrations.isEmpty)
    XCTAssertEqual(container.registrations.count, 3)
    try container.syncClose()
    XCTAssertEqual(disposed.withLock { $0 }, 1)
  }

  func testWithoutAPredicateAllInstancesAreReleasedAndCounted() throws {
    try register("a", "b")
    try container.register(Int.self, scope: .singleton) { _ in 1 }
    XCTAssertEqual(container.releaseAll(), 2)
    XCTAssertEqual(tracker.left, 0)
    XCTAssertEqual(container.registrations.count, 3)
    XCTAssertEqual(container.releaseAll(), 0)
  }

  func testRemovalsBesideWritersAndResolves() throws {
    let container = container
    let tracker = tracker
    let names = (0..<8).map { Name($0) }
    try onThreads(8) { thread in
      for round in 0..<200 {
        let name = names[round % names.count]
        switch thread {
        case 0: container.removeAll { $0.key.name == name }
        case 1: container.releaseAll { $0.key.name == name }
        case 2...4:
          try container.register(Tracked.self, name: name, scope: .singleton) { _ in tracker.make()
          }
        default: _ = try container.resolveIfRegistered(Tracked.self, name: name)
        }
      }
    }
    container.removeAll { _ in true }
    settleReclamation()
    XCTAssertEqual(tracker.alive, 0)
  }
}
