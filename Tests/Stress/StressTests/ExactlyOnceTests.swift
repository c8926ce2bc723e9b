// SPDX-License-Identifier: MIT

import Corinth
import Foundation
import TestSupport
import XCTest

/// A shared instance is built once, however many threads ask for it first.
class ExactlyOnceTests: ContainerTestCase {
  private let threads = 8

  /// Long enough for all threads to arrive while the factory runs.
  private static func constructSlowly() { usleep(2000) }

  func testASingletonIsBuiltOncePerContainer() throws {
    let tracker = LifetimeTracker()
    try coldContainers(50) { container in
      try container.register(Tracked.self) { _ in
        Self.constructSlowly()
        return tracker.make()
      }.as(.singleton)
    } resolve: {
      ObjectIdentifier(try $0.resolve(Tracked.self))
    }
    XCTAssertEqual(tracker.created, StressSize.scaled(50))
    assertNoneLeft(tracker)
  }

  func testAWeakInstanceIsBuiltOnceWhileItIsHeld() throws {
    let tracker = LifetimeTracker()
    let containers = try coldContainers(20) { container in
      try container.register(Tracked.self) { _ in
        Self.constructSlowly()
        return tracker.make()
      }.as(.weak)
    } resolve: {
      Held(object: try $0.resolve(Tracked.self))
    }
    XCTAssertEqual(tracker.created, StressSize.scaled(20))
    withExtendedLifetime(containers) {}
    assertNoneLeft(tracker)
  }

  /// `CORINTH_STRESS=1000` makes 20,000 rounds.
  func testADefaultIsRegisteredAndBuiltOnce() throws {
    let tracker = LifetimeTracker()
    let key = ServiceKey<Tracked>(scope: .singleton) { _ in tracker.make() }
    // Half of the threads ask a child, and wait for the writer of the container.
    try coldContainers(20) { _ in
    } resolve: { container in
      let asked = Bool.random() ? Container(parent: container) : container
      return ObjectIdentifier(try asked.resolve(key))
    }
    XCTAssertEqual(tracker.created, StressSize.scaled(20))
    assertNoneLeft(tracker)
  }

  func testAValueIsBuiltOnce() throws {
    let built = AtomicCounter()
    try coldContainers(20) { container in
      try container.register(Int.self, name: "value", scope: .singleton) { _ in
        Self.constructSlowly()
        return built.add()
      }
    } resolve: {
      try $0.resolve(Int.self, name: "value")
    }
    XCTAssertEqual(built.value, StressSize.scaled(20))
  }

  func testASharedDependencyIsBuiltOnceForManyDependents() throws {
    let tracker = LifetimeTracker()
    for _ in 0..<StressSize.scaled(20) {
      let container = makeContainer()
      try container.register(Tracked.self, scope: .singleton) { _ in
        Self.constructSlowly()
        return tracker.make()
      }
      for index in 0..<threads {
        try container.register(Dependent.self, name: Name(index), scope: .singleton) {
          Dependent(on: try $0.resolve(Tracked.self))
        }
      }
      let dependents = try onThreads(threads) { index in
        try container.resolve(Dependent.self, name: Name(index))
      }
      XCTAssertEqual(Set(dependents.map { ObjectIdentifier($0.dependency) }).count, 1)
    }
    XCTAssertEqual(tracker.created, StressSize.scaled(20))
    assertNoneLeft(tracker)
  }

  private final class Dependent: Sendable {
    let dependency: Tracked
    init(on dependency: Tracked) { self.dependency = dependency }
  }

  /// All threads resolve from one new container after another, and must get the same from each.
  @discardableResult
  private func coldContainers<Value: Hashable & Sendable>(
    _ count: Int, register: (Container) throws -> Void,
    resolve: @escaping @Sendable (Container) throws -> Value
  ) throws -> [Container] {
    let containers = try (0..<StressSize.scaled(count)).map { _ in
      let container = makeContainer()
      try register(container)
      return container
    }
    let arrival = Barrier(threads)
    let resolved = try onThreads(threads) { _ in
      try containers.map { container in
        arrival.wait()
        return try resolve(container)
      }
    }
    for index in containers.indices {
      XCTAssertEqual(Set(resolved.map { $0[index] }).count, 1, "container \(index)")
    }
    return containers
  }
}

/// A strong reference, equal to others of the same object.
private struct Held: Hashable, Sendable {
  let object: Tracked

  static func == (left: Held, right: Held) -> Bool { left.object === right.object }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(object)) }
}
