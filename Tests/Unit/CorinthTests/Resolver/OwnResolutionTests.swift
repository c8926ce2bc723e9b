// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

final class OwnResolutionTests: ContainerTestCase {
  func testANestedCallJoins() {
    let container = container
    container.withOwnResolution { outer in
      outer.publish(1)
      container.withOwnResolution { inner in
        XCTAssertEqual(inner.id, outer.id)
        XCTAssertEqual(inner.instance(of: Int.self), 1)
      }
      XCTAssertEqual(outer.instance(of: Int.self), 1, "the inner call does not end it")
    }
    container.withOwnResolution { XCTAssertNil($0.instance(of: Int.self)) }
  }

  func testItIsKnownInsideAndNotOutside() {
    let container = container
    XCTAssertNil(container.ownResolution)
    container.withOwnResolution { XCTAssertEqual(container.ownResolution?.id, $0.id) }
    XCTAssertNil(container.ownResolution)
  }

  func testItDoesNotJoinAResolutionOfAnotherKind() {
    let container = container
    container.withResolution { outer in
      outer.publish(1)
      XCTAssertNil(container.ownResolution)
      container.withOwnResolution { XCTAssertNil($0.instance(of: Int.self)) }
    }
  }

  func testItDoesNotJoinThatOfAnotherContainer() {
    let container = container
    let other = Container()
    container.withOwnResolution { outer in
      XCTAssertNil(other.ownResolution)
      other.withOwnResolution { inner in
        XCTAssertNotEqual(inner.id, outer.id)
        XCTAssertEqual(container.ownResolution?.id, outer.id, "the outer one goes on")
      }
    }
  }

  func testAFactoryJoinsTheOneAroundIt() throws {
    let container = container
    let other = Container()
    try other.register(Int.self) { _ in
      container.withOwnResolution { $0.instance(of: Int.self) ?? 0 }
    }.as(.singleton)
    try container.withOwnResolution { resolution in
      resolution.publish(7)
      XCTAssertEqual(try other.resolve(Int.self), 7)
    }
  }

  func testAnotherThreadHasItsOwn() throws {
    let container = container
    try container.withOwnResolution { _ in
      let found = try onThreads(1) { _ in container.ownResolution != nil }
      XCTAssertEqual(found, [false])
    }
  }

  func testAnErrorEndsIt() {
    let container = container
    XCTAssertThrowsError(try container.withOwnResolution { _ in throw CancellationError() })
    XCTAssertNil(container.ownResolution)
  }

  func testItsEndReleasesWhatItHas() {
    let tracker = LifetimeTracker()
    let kept = container.withOwnResolution { resolution in
      resolution.publish(tracker.make())
      XCTAssertEqual(tracker.alive, 1)
      return resolution
    }
    settleReclamation()
    XCTAssertEqual(tracker.alive, 0)
    XCTAssertNil(kept.instance(of: Tracked.self))
    XCTAssertFalse(kept.publish(tracker.make()))
  }
}
