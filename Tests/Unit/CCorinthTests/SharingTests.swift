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
}
