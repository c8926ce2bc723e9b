// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

private final class Left {
  var right: Right?
}

private final class Right {
  unowned let left: Left

  init(_ left: Left) {
    self.left = left
  }
}

final class ResolutionTests: ContainerTestCase {
  func testResolvesThroughItShareGraphInstances() throws {
    try container.register(Motor.self) { _ in Motor() }.as(.graph)
    let (first, second) = try container.withResolution {
      (try $0.resolver.resolve(Motor.self), try $0.resolver.resolve(Motor.self))
    }
    XCTAssertIdentical(first, second)
    try container.withResolution {
      XCTAssertNotIdentical(try $0.resolver.resolve(Motor.self), first)
    }
  }

  func testANestedOneJoins() throws {
    let container = container
    container.withResolution { outer in
      outer.publish(1)
      container.withResolution { inner in
        XCTAssertEqual(inner.id, outer.id)
        XCTAssertEqual(inner.instance(of: Int.self), 1)
      }
    }
    container.withResolution { XCTAssertNil($0.instance(of: Int.self)) }
  }

  func testAResolverJoinsItsOwn() throws {
    try container.register(Motor.self) { _ in Motor() }.as(.graph)
    try container.register(Int.self) { resolver in
      let motor = try resolver.resolve(Motor.self)
      return resolver.withResolution { $0.instance(of: Motor.self) === motor ? 1 : 0 }
    }.as(.singleton)
    XCTAssertEqual(try container.resolve(Int.self), 1)
  }

  func testATaskJoinsItsOwn() async throws {
    let container = container
    try container.registerAsync(String.self) { resolver in
      let outer = resolver.withResolution { $0.id }
      let inner = container.withResolution { $0.id }
      return "\(outer == inner)"
    }.as(.singleton)
    let text = try await container.resolveAsync(String.self)
    XCTAssertEqual(text, "true")
  }

  func testItTellsWhatItHas() throws {
    try container.register(Motor.self) { _ in Motor() }.as(.graph)
    try container.register(Int.self) { _ in 1 }.as(.singleton)
    try container.withResolution { resolution in
      XCTAssertNil(resolution.instance(of: Motor.self))
      let motor = try resolution.resolver.resolve(Motor.self)
      XCTAssertIdentical(resolution.instance(of: Motor.self), motor)
      _ = try resolution.resolver.resolve(Int.self)
      XCTAssertNil(resolution.instance(of: Int.self), "a singleton is not its own")
      XCTAssertTrue(resolution.publish("a", name: "x"))
      XCTAssertEqual(resolution.instance(of: String.self, name: "x"), "a")
      XCTAssertNil(resolution.instance(of: String.self))
      resolution.publish("b", name: "x")
      XCTAssertEqual(resolution.instance(of: String.self, name: "x"), "b")
    }
  }

  func testAPublishedInstanceIsFoundByNestedResolves() throws {
    try container.register(Left.self) { _ in Left() }.as(.graph)
    try container.register(Right.self) { Right(try $0.resolve(Left.self)) }.as(.graph)
    try container.withResolution { resolution in
      let left = Left()
      resolution.publish(left)
      let right = try resolution.resolver.resolve(Right.self)
      XCTAssertIdentical(right.left, left)
    }
  }

  func testAFactoryClosesACycleByPublishingItsInstance() throws {
    let container = container
    try container.register(Left.self) { resolver in
      try resolver.withResolution { resolution in
        let left = Left()
        resolution.publish(left)
        left.right = try resolution.resolver.resolve(Right.self)
        return left
      }
    }.as(.graph)
    try container.register(Right.self) { Right(try $0.resolve(Left.self)) }.as(.graph)
    let left = try container.resolve(Left.self)
    XCTAssertIdentical(left.right?.left, left)
    XCTAssertNotIdentical(try container.resolve(Left.self), left)
  }

  func testWhatItHasEndsWithIt() throws {
    let tracker = LifetimeTracker()
    var kept: Resolution?
    container.withResolution { resolution in
      resolution.publish(tracker.make())
      resolution.publish(tracker.make())
      kept = resolution
      XCTAssertNotNil(resolution.instance(of: Tracked.self))
    }
    XCTAssertNil(kept?.instance(of: Tracked.self))
    XCTAssertEqual(kept?.publish(1), false)
    settleReclamation()
    XCTAssertEqual(tracker.alive, 0)
  }

  func testAnErrorEndsItToo() throws {
    let container = container
    XCTAssertThrowsError(
      try container.withResolution { resolution -> Void in
        resolution.publish(1)
        throw FixtureError("none")
      })
    container.withResolution { XCTAssertNil($0.instance(of: Int.self)) }
  }

  func testEightThreadsPublishAndAsk() throws {
    let container = container
    try container.withResolution { resolution in
      _ = try onThreads(8) { index in
        for round in 0..<200 {
          resolution.publish(round, name: Name(index % 2))
          XCTAssertNotNil(resolution.instance(of: Int.self, name: Name(index % 2)))
        }
      }
    }
  }
}
