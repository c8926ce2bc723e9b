// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

/// What wrappers of other packages are made of.
final class PropertyValueTests: ContainerTestCase {
  private struct Failure: Error {}

  func testAValueIsMadeOnce() throws {
    let property = PropertyValue<Int, String>("settings")
    XCTAssertNil(property.value)
    XCTAssertEqual(property.settings, "settings")
    XCTAssertEqual(try property.resolve(in: container) { 1 }, 1)
    XCTAssertEqual(try property.resolve(in: container) { 2 }, 1)
    XCTAssertEqual(property.value, 1)
  }

  func testCopiesShareTheValue() throws {
    let property = PropertyValue<Int, Void>(())
    let copy = property
    _ = try property.resolve(in: container) { 1 }
    XCTAssertEqual(copy.value, 1)
  }

  func testAValueIsThereFromTheStart() throws {
    let property = PropertyValue<Int, Void>(holding: 1)
    XCTAssertEqual(property.value, 1)
    XCTAssertEqual(try property.resolve(in: container) { 2 }, 1)
  }

  func testAFailureIsThrownAsItIsAndLeavesNothing() throws {
    let property = PropertyValue<Int, Void>(())
    XCTAssertThrowsError(try property.resolve(in: container) { throw Failure() }) { error in
      XCTAssertTrue(error is Failure)
    }
    XCTAssertNil(property.value)
    XCTAssertEqual(try property.resolve(in: container) { 2 }, 2)
  }

  func testAValueThatIsNeededToBuildItselfIsAnError() throws {
    let property = PropertyValue<Int, Void>(())
    let container = container
    XCTAssertThrowsError(
      try property.resolve(in: container, name: "mine") {
        try property.resolve(in: container) { 1 }
      }
    ) { error in
      guard case ResolutionError.circularDependencyDetected = error else {
        return XCTFail("\(error)")
      }
    }
  }

  func testThreadsThatUseItFirstGetOneValue() throws {
    let container = container
    for _ in 0..<StressSize.scaled(50) {
      let property = PropertyValue<Int, Void>(())
      let made = AtomicCounter()
      let seen = try onThreads(8) { _ in try property.resolve(in: container) { made.add() } }
      XCTAssertEqual(Set(seen), [1])
      XCTAssertEqual(made.value, 1)
    }
  }

  func testTheSettingsAreReleasedOnceTheValueIsThere() throws {
    let tracker = LifetimeTracker()
    let property = PropertyValue<Int, Tracked>(tracker.make())
    XCTAssertThrowsError(try property.resolve(in: container) { throw Failure() })
    XCTAssertNotNil(property.settings)
    _ = try property.resolve(in: container) { 1 }
    XCTAssertNil(property.settings)
    XCTAssertEqual(tracker.left, 0)
  }

  func testTheContainerIsNotKept() throws {
    let property = PropertyValue<Int, Void>(())
    weak var container: Container?
    do {
      let made = Container()
      container = made
      _ = try property.resolve(in: made) { 1 }
    }
    XCTAssertNil(container)
  }

  func testAWeakObjectIsMadeAgainOnceItIsGone() throws {
    let property = WeakPropertyValue<Tracked>()
    let tracker = LifetimeTracker()
    var kept = try property.resolve(in: container) { tracker.make() }
    XCTAssertTrue(try property.resolve(in: container) { tracker.make() } === kept)
    XCTAssertEqual(tracker.created, 1)
    kept = nil
    XCTAssertEqual(tracker.left, 0)
    XCTAssertEqual(try property.resolve(in: container) { tracker.make() }?.serial, 2)
  }

  func testAWeakObjectThatIsNotMadeIsNil() throws {
    let property = WeakPropertyValue<Tracked>()
    let tracker = LifetimeTracker()
    XCTAssertNil(try property.resolve(in: container) { nil })
    XCTAssertEqual(try property.resolve(in: container) { tracker.make() }?.serial, 1)
  }

  func testThreadsThatUseAWeakObjectGetOne() throws {
    let container = container
    for _ in 0..<StressSize.scaled(50) {
      let property = WeakPropertyValue<Tracked>()
      let tracker = LifetimeTracker()
      let objects = try onThreads(8) { _ in
        try property.resolve(in: container) { tracker.make() }
      }
      XCTAssertEqual(Set(objects.map { $0?.serial }), [1])
    }
  }
}
