// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

/// What a container keeps goes away with the registration, whatever ends that.
final class ReleaseTests: XCTestCase {
  private let tracker = LifetimeTracker()

  private func containerWithReadySingleton() throws -> Container {
    let container = Container()
    try container.register(Tracked.self) { [tracker] _ in tracker.make() }.as(.singleton)
    _ = try container.resolve(Tracked.self)
    XCTAssertEqual(tracker.alive, 1)
    return container
  }

  func testAnOverrideReleasesTheSingleton() throws {
    let container = try containerWithReadySingleton()
    try container.register(Tracked.self) { [tracker] _ in tracker.make() }.as(.singleton)
    XCTAssertEqual(tracker.left, 0)
    XCTAssertEqual(tracker.created, 1)
  }

  func testUnregisterReleasesTheSingleton() throws {
    let container = try containerWithReadySingleton()
    container.unregister(Tracked.self)
    XCTAssertEqual(tracker.left, 0)
  }

  func testRemoveAllReleasesTheSingletons() throws {
    let container = try containerWithReadySingleton()
    for index in 0..<10 {
      try container.register(Tracked.self, name: Name(index), scope: .singleton) { [tracker] _ in
        tracker.make()
      }
      _ = try container.resolve(Tracked.self, name: Name(index))
    }
    XCTAssertEqual(tracker.alive, 11)
    container.removeAll()
    XCTAssertEqual(tracker.left, 0)
  }

  func testTheEndOfTheContainerReleasesTheSingletons() throws {
    do { _ = try containerWithReadySingleton() }
    XCTAssertEqual(tracker.left, 0)
  }

  func testAModifierReleasesTheSingleton() throws {
    let container = Container()
    let registration = try container.register(Tracked.self) { [tracker] _ in tracker.make() }
      .as(.singleton)
    _ = try container.resolve(Tracked.self)
    registration.as(.transient)
    XCTAssertEqual(tracker.left, 0)
  }

  func testAnInstanceInUseOutlivesItsRegistration() throws {
    let container = try containerWithReadySingleton()
    do {
      let instance = try container.resolve(Tracked.self)
      container.removeAll()
      XCTAssertEqual(tracker.alive, 1)
      XCTAssertEqual(instance.serial, 1)
    }
    XCTAssertEqual(tracker.left, 0)
  }

  func testTheClosureOfAFactoryIsReleasedWithItsRegistration() throws {
    for scope in [AnyScope.transient, .singleton, .weak] {
      let container = Container()
      try container.register(Motor.self, scope: scope) { [captured = tracker.make()] _ in
        Motor(power: captured.serial)
      }
      _ = try container.resolve(Motor.self)
      XCTAssertEqual(tracker.alive, 1)
      try container.register(Motor.self) { _ in Motor() }
      XCTAssertEqual(tracker.left, 0)
    }
  }

  func testTheClosureOfARefusedRegistrationIsReleased() throws {
    let container = Container()
    try container.register(Motor.self, onDuplicate: .refuse) { _ in Motor() }
    XCTAssertThrowsError(
      try container.register(Motor.self) { [captured = tracker.make()] _ in
        Motor(power: captured.serial)
      })
    XCTAssertEqual(tracker.left, 0)
  }

  func testTheValueOfANameIsReleasedWithItsContainer() throws {
    struct Label: Hashable, Sendable {
      let tracked: Tracked
      static func == (left: Label, right: Label) -> Bool { true }
      func hash(into hasher: inout Hasher) {}
    }
    do {
      let container = Container()
      try container.register(Int.self, name: Name(Label(tracked: tracker.make()))) { _ in 1 }
      XCTAssertEqual(tracker.alive, 1)
      XCTAssertEqual(
        try container.resolve(Int.self, name: Name(Label(tracked: tracker.make()))), 1)
      XCTAssertEqual(tracker.alive, 1)
    }
    XCTAssertEqual(tracker.left, 0)
  }

  func testAThrowingFactoryLeaksNothing() throws {
    for scope in [AnyScope.transient, .singleton, .weak] {
      let container = Container()
      try container.register(Tracked.self, scope: scope) { [tracker] _ in
        _ = tracker.make()
        throw FixtureError("after an allocation")
      }
      for _ in 0..<3 { XCTAssertThrowsError(try container.resolve(Tracked.self)) }
    }
    XCTAssertEqual(tracker.created, 9)
    XCTAssertEqual(tracker.left, 0)
  }

  func testADeinitMayResolveAndRegister() throws {
    final class Farewell {
      let container: Container
      init(_ container: Container) { self.container = container }
      deinit {
        XCTAssertEqual(try container.resolve(Int.self), 1)
        XCTAssertNoThrow(try container.register(Int.self) { _ in 2 })
        XCTAssertTrue(container.unregister(String.self))
      }
    }
    let container = Container()
    try container.register(Int.self) { _ in 1 }.as(.singleton)
    try container.register(String.self) { _ in "removed in a deinit" }.as(.singleton)
    _ = try container.resolve(String.self)
    try container.register(Farewell.self) { Farewell(try $0.container) }.as(.unchecked(.singleton))
    _ = try container.resolve(Farewell.self)
    container.unregister(Farewell.self)
    XCTAssertEqual(try container.resolve(Int.self), 2)
    XCTAssertFalse(container.contains(String.self))
  }

  func testSingletonsOfSingletonsAreReleasedWithTheirOwner() throws {
    do {
      let container = Container()
      try container.register(Tracked.self) { [tracker] _ in tracker.make() }.as(.singleton)
      try container.register([Tracked].self) { resolver in
        [try resolver.resolve(Tracked.self), try resolver.resolve(Tracked.self)]
      }.as(.singleton)
      let tracked = try container.resolve([Tracked].self)
      XCTAssertTrue(tracked[0] === tracked[1])
    }
    XCTAssertEqual(tracker.created, 1)
    XCTAssertEqual(tracker.left, 0)
  }
}
