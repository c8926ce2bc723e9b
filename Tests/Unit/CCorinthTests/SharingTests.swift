// SPDX-License-Identifier: MIT

import CCorinth
import TestSupport
import XCTest

/// Children that stop showing their parent's slots while another thread makes them writable.
final class SharingTests: XCTestCase {
  private let parent = TestRegistry()

  /// `corinth_registry_stop_sharing` used to look for internals after it had read the cache that it
  /// was about to replace. The first writer publishes its cache a moment before its internals: a
  /// cache read in between was replaced by the static empty one, which the registry then wrote to,
  /// and freed.
  func testTheFirstWritersCacheSurvivesTheEndOfSharing() throws {
    _ = parent.insert(.plain)
    let empty = TestRegistry()
    for _ in 0..<StressSize.scaled(20) {
      let children = (0..<10_000).map { _ in TestRegistry(parent: parent) }
      let written = AtomicCounter()
      try onThreads(2) { index in
        for (number, child) in children.enumerated() {
          if index == 0 {
            child.withWriterMutex {}
            written.add()
          } else {
            repeat {
              unsafe corinth_registry_stop_sharing(child.pointer)
            } while written.value <= number
          }
        }
      }
      XCTAssertEqual(children.count { $0.hasSameCache(as: empty) }, 0)
    }
  }

  /// The first writers of a registry each bring a cache and a writer mutex, of which one is used.
  func testFirstWritersThatMeetInsertAKeyOnce() throws {
    _ = parent.insert(.plain)
    let children = (0..<StressSize.scaled(20_000)).map { _ in TestRegistry(parent: parent) }
    let inserted = try onThreads(3) { _ in children.count { $0.insert(.plain).inserted } }
    XCTAssertEqual(inserted.reduce(0, +), children.count)
    XCTAssertTrue(children.allSatisfy { $0.count == 1 && $0.findInCache(.plain) != nil })
  }

  /// A thread keeps the cache and the slots of an ended registry for the next one.
  func testARegistryAfterAnEndedOneIsEmpty() {
    for count in [3, 4, 5, 100, 1, 0, 2] {
      let child = TestRegistry(parent: parent)
      for type in 1...100 {
        XCTAssertNil(child.findInCache(corinth_key(type: UInt(type) << 4)))
        XCTAssertNil(child.find(corinth_key(type: UInt(type) << 4)))
      }
      XCTAssertEqual(child.count, 0)
      for type in 0..<count {
        XCTAssertTrue(child.insert(corinth_key(type: UInt(type + 1) << 4)).inserted)
      }
      XCTAssertEqual(child.slots.count, count)
    }
  }
}
