// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

/// Instances that are published under names, and the number that tells whether a key that had none
/// may have one by now.
final class PublicationTests: ContainerTestCase {
  private let tracker = LifetimeTracker()

  func testTheNumberIsTheSameUntilAKeyIsNew() {
    container.withOwnResolution { resolution in
      var seen: Set<UInt> = [resolution.publications]
      for index in 0..<200 {
        XCTAssertNil(resolution.published(named: Name(index)))
        XCTAssertTrue(seen.contains(resolution.publications), "a search changes nothing")
        resolution.publish(index, named: Name(index))
        XCTAssertTrue(seen.insert(resolution.publications).inserted, "publication \(index)")
        XCTAssertEqual(resolution.published(named: Name(index)) as? Int, index)
      }
      XCTAssertFalse(seen.contains(.max))
    }
  }

  func testItChangesWithPublicationsFromInsideAndFromOtherThreads() throws {
    let container = container
    try container.withOwnResolution { outer in
      let before = outer.publications
      container.withOwnResolution { $0.publish(1, named: "inside") }
      let between = outer.publications
      XCTAssertNotEqual(between, before)
      try onThreads(1) { _ in outer.publish(2, named: "elsewhere") }
      XCTAssertNotEqual(outer.publications, between)
      XCTAssertEqual(outer.published(named: "inside") as? Int, 1)
      XCTAssertEqual(outer.published(named: "elsewhere") as? Int, 2)
    }
  }

  func testItChangesWhenTheResolutionEnds() {
    var kept: (resolution: Resolution, publications: UInt)?
    container.withOwnResolution { resolution in
      resolution.publish(1, named: "a")
      kept = (resolution, resolution.publications)
    }
    XCTAssertNotEqual(kept?.resolution.publications, kept?.publications)
    XCTAssertNil(kept?.resolution.published(named: "a"))
    kept?.resolution.publish(2, named: "a")
    XCTAssertNil(kept?.resolution.published(named: "a"))
  }

  func testPublishedAgainAKeyHasTheNewerInstanceAndLetsGoOfTheOlder() throws {
    let tracker = tracker
    try container.withOwnResolution { resolution in
      for serial in 1...3 {
        resolution.publish(tracker.make(), named: "a")
        XCTAssertEqual((resolution.published(named: "a") as? Tracked)?.serial, serial)
      }
      // A thread destroys nothing inside of a resolution.
      try onThreads(1) { _ in settleReclamation() }
      XCTAssertEqual(tracker.alive, 1)
    }
    settleReclamation()
    XCTAssertEqual(tracker.alive, 0)
  }

  func testNamesTypesAndContainersHaveInstancesOfTheirOwn() throws {
    let (container, other) = (container, Container())
    try container.withResolution { resolution in
      XCTAssertTrue(resolution.publish(1, as: Int.self, name: "a"))
      XCTAssertTrue(resolution.publish(2, as: Int.self))
      XCTAssertTrue(resolution.publish("c", as: String.self, name: "a"))
      try other.register(Int.self) { resolver in
        resolver.withResolution { $0.instance(of: Int.self, name: "a") ?? 0 }
      }
      XCTAssertEqual(try other.resolve(Int.self), 0)
      XCTAssertEqual(resolution.instance(of: Int.self, name: "a"), 1)
      XCTAssertEqual(resolution.instance(of: Int.self), 2)
      XCTAssertEqual(resolution.instance(of: String.self, name: "a"), "c")
      XCTAssertNil(resolution.instance(of: String.self))
    }
  }

  func testAPublicationOutlivesAFailedResolveInItsResolution() throws {
    let attempts = AtomicCounter()
    try container.register(String.self, scope: .graph) { resolver in
      try resolver.withResolution { resolution in
        if attempts.add() == 1 {
          resolution.publish("early")
          throw FixtureError("first")
        }
        return try XCTUnwrap(resolution.instance(of: String.self))
      }
    }
    try container.withResolution { resolution in
      XCTAssertThrowsError(try resolution.resolver.resolve(String.self))
      XCTAssertEqual(resolution.instance(of: String.self), "early")
      XCTAssertEqual(try resolution.resolver.resolve(String.self), "early")
      XCTAssertEqual(attempts.value, 1)
    }
  }

  /// One of them is published, and the others are put in its place.
  func testThreadsThatPublishTogetherLeaveOneInstanceOfEachKey() throws {
    let tracker = tracker
    container.withOwnResolution { resolution in
      let keys = (0..<StressSize.scaled(500)).map { Name($0) }
      let results = Result {
        try race(for: keys) { key, _ in
          let before = resolution.publications
          let isFound = resolution.published(named: key) != nil
          resolution.publish(tracker.make(), named: key)
          return (isFound || resolution.publications != before)
            && resolution.published(named: key) is Tracked
        }
      }
      XCTAssertEqual(try? results.get().allSatisfy { $0 == [true, true] }, true)
    }
    settleReclamation()
    XCTAssertEqual(tracker.alive, 0)
  }
}
