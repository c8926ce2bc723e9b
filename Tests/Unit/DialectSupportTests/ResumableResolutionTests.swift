// SPDX-License-Identifier: MIT

import Corinth
import DialectSupport
import TestSupport
import XCTest

private final class Place: Sendable {}

/// Resolutions of dialects, and the runs that they stand for.
final class ResumableResolutionTests: XCTestCase {
  private let tracker = LifetimeTracker()
  private let place = Place()

  private func set(_ tracked: Tracked, in resolution: ResumableResolution) {
    resolution.set(tracked, of: place)
  }

  func testItHoldsItsInstancesWhileItRuns() {
    let resolution = ResumableResolution()
    resolution.share()
    resolution.beginRun()
    resolution.beginRun()
    set(tracker.make(), in: resolution)
    resolution.endRun()
    XCTAssertEqual(tracker.alive, 1)
    XCTAssertEqual((resolution.instance(of: place) as? Tracked)?.serial, 1)
    resolution.endRun()
    XCTAssertEqual(tracker.left, 0)
    XCTAssertNil(resolution.instance(of: place))
  }

  func testAResumedOneFindsWhatSomethingElseHolds() {
    let resolution = ResumableResolution()
    resolution.share()
    resolution.beginRun()
    let tracked = tracker.make()
    set(tracked, in: resolution)
    resolution.endRun()
    resolution.beginRun()
    XCTAssertIdentical(resolution.instance(of: place) as? Tracked, tracked)
    XCTAssertNil(resolution.instance(of: Place()))
    resolution.endRun()
  }

  func testAnInstanceThatIsNoObjectStays() {
    let resolution = ResumableResolution()
    resolution.share()
    resolution.beginRun()
    resolution.set(PlacedValue(7), of: place)
    resolution.endRun()
    XCTAssertEqual(resolution.instance(of: place) as? Int, 7)
    resolution.set(nil, of: place)
    XCTAssertNil(resolution.instance(of: place))
  }

  func testItFindsEachOfManyPlaces() {
    let resolution = ResumableResolution()
    let places = (0..<20).map { _ in Place() }
    resolution.beginRun()
    for (number, place) in places.enumerated() { resolution.set(PlacedValue(number), of: place) }
    for (number, place) in places.enumerated() {
      XCTAssertEqual(resolution.instance(of: place) as? Int, number)
    }
    let tracked = places.map { _ in tracker.make() }
    for (place, tracked) in zip(places, tracked) { resolution.set(tracked, of: place) }
    resolution.share()
    resolution.endRun()
    for (place, tracked) in zip(places, tracked) {
      XCTAssertIdentical(resolution.instance(of: place) as? Tracked, tracked)
    }
  }

  func testOneThatIsNotSharedEndsWithItsOwner() {
    var resolution: ResumableResolution? = ResumableResolution()
    resolution?.beginRun()
    set(tracker.make(), in: resolution!)
    resolution?.endRun()
    resolution = nil
    XCTAssertEqual(tracker.left, 0)
  }

  func testEachPlaceHasOneLock() {
    let container = Container()
    let resolution = ResumableResolution()
    let lock = resolution.lock(of: place) { ConstructionLock(for: Int.self, in: container) }
    XCTAssertIdentical(resolution.lock(of: place) { lock.another() }, lock)
    set(tracker.make(), in: resolution)
    XCTAssertIdentical(resolution.lock(of: place) { lock.another() }, lock)
    XCTAssertNotIdentical(resolution.lock(of: Place()) { lock.another() }, lock)
  }

  func testEightThreadsMayUseASharedOne() throws {
    let resolution = ResumableResolution()
    resolution.share()
    let (tracker, places) = (tracker, (0..<3).map { _ in Place() })
    try onThreads(8) { index in
      for round in 0..<StressSize.scaled(500) {
        let place = places[(index + round) % 3]
        resolution.beginRun()
        let tracked = tracker.make()
        resolution.set(tracked, of: place)
        XCTAssertNotNil(resolution.instance(of: place))
        resolution.endRun()
      }
    }
    XCTAssertEqual(tracker.left, 0)
  }

  func testARunIsFoundInsideOfItOnItsThread() throws {
    let (outer, inner) = (Place(), Place())
    let container = Container()
    try container.register(Bool.self, scope: .singleton) { _ in
      Container.objectOfRun === inner
    }
    try Container.withRun(of: outer) {
      XCTAssertIdentical(Container.objectOfRun, outer)
      try Container.withRun(of: inner) {
        XCTAssertIdentical(Container.objectOfRun, inner)
        XCTAssertTrue(try container.resolve(Bool.self), "in a factory too")
        try onThreads(1) { _ in XCTAssertNil(Container.objectOfRun) }
      }
      XCTAssertIdentical(Container.objectOfRun, outer)
    }
    XCTAssertNil(Container.objectOfRun)
  }

  func testAResolveOfTheTypeItselfFindsItsNameAndDerivesNothing() throws {
    let container = Container()
    try container.register(value: 1, name: "a")
    try container.register(value: 2)
    XCTAssertEqual(try container.resolveIfRegisteredItself(Int.self, name: "a"), 1)
    XCTAssertEqual(try container.resolveIfRegisteredItself(Int.self, name: nil), 2)
    XCTAssertNil(try container.resolveIfRegisteredItself(Int.self, name: "b"))
    XCTAssertNil(try container.resolveIfRegisteredItself([Int].self, name: "a"))
  }
}
