// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

/// Nobody waits for anything but the construction of the very instance asked for.
///
/// A factory that does not return until the others are done stands for one that takes long.
class IndependenceTests: ContainerTestCase {
  private struct Slow: Sendable {}

  func testAReadySingletonResolvesWhileAnotherFactoryRuns() throws {
    let tracker = LifetimeTracker()
    try besideARunningFactory { container in
      try container.register(Tracked.self) { _ in tracker.make() }.as(.singleton)
      let ready = try container.resolve(Tracked.self)
      return {
        for _ in 0..<1000 { XCTAssert(try container.resolve(Tracked.self) === ready) }
      }
    }
    assertNoneLeft(tracker)
  }

  func testAColdSingletonIsBuiltWhileAnotherFactoryRuns() throws {
    let tracker = LifetimeTracker()
    try besideARunningFactory { container in
      for index in 0..<100 {
        try container.register(Tracked.self, name: Name(index)) { _ in tracker.make() }
          .as(.singleton)
      }
      return {
        for index in 0..<100 { _ = try container.resolve(Tracked.self, name: Name(index)) }
      }
    }
    XCTAssertEqual(tracker.created, 100)
    assertNoneLeft(tracker)
  }

  func testTransientAndWeakInstancesAreBuiltWhileAnotherFactoryRuns() throws {
    let tracker = LifetimeTracker()
    try besideARunningFactory { container in
      try container.register(Tracked.self, name: "transient") { _ in tracker.make() }
      try container.register(Tracked.self, name: "weak") { _ in tracker.make() }.as(.weak)
      return {
        for _ in 0..<100 {
          _ = try container.resolve(Tracked.self, name: "transient")
          _ = try container.resolve(Tracked.self, name: "weak")
        }
      }
    }
    XCTAssertEqual(tracker.created, 200)
    assertNoneLeft(tracker)
  }

  func testRegistrationsGoOnWhileAFactoryRuns() throws {
    let tracker = LifetimeTracker()
    try besideARunningFactory { container in
      return {
        for _ in 0..<100 {
          try container.register(Tracked.self) { _ in tracker.make() }.as(.singleton)
          _ = try container.resolve(Tracked.self)
        }
        XCTAssert(container.contains(Slow.self))
        XCTAssert(container.unregister(Tracked.self))
      }
    }
    XCTAssertEqual(tracker.created, 100)
    assertNoneLeft(tracker)
  }

  /// Runs what `prepare` returns while a singleton's factory and a transient one are under way.
  private func besideARunningFactory(
    _ prepare: (Container) throws -> @Sendable () throws -> Void
  ) throws {
    let container = makeContainer()
    let others = try prepare(container)
    let begun = Barrier(3)
    let othersAreDone = Gate()
    for name in ["singleton", "transient"] as [Name] {
      try container.register(
        Slow.self, name: name, scope: name == "singleton" ? .singleton : .transient
      ) { _ in
        begun.wait()
        othersAreDone.wait()
        return Slow()
      }
    }
    try container.register(Slow.self) { _ in Slow() }
    try onThreads(3) { index in
      switch index {
      case 0: _ = try container.resolve(Slow.self, name: "singleton")
      case 1: _ = try container.resolve(Slow.self, name: "transient")
      default:
        begun.wait()
        defer { othersAreDone.open() }
        try others()
      }
    }
  }
}
