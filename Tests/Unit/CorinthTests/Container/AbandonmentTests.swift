// SPDX-License-Identifier: MIT

import Corinth
import Foundation
import TestSupport
import XCTest

/// A thread that never returns from a factory.
final class AbandonmentTests: ContainerTestCase {
  func testWhatIsReplacedLaterIsDestroyed() throws {
    let isParked = Barrier(2)
    try container.register(String.self) { _ in
      Container.abandonResolves {
        isParked.wait()
        while true { Thread.sleep(forTimeInterval: 1000) }
      }
    }
    // Two levels: each is inside of a section.
    try container.register(Int.self) { try $0.resolve(String.self).count }
    let container = container
    Thread.detachNewThread { _ = try? container.resolve(Int.self) }
    isParked.wait()

    let tracker = LifetimeTracker()
    try container.register(Tracked.self) { [kept = tracker.make()] _ in kept }
    container.removeAll()
    settleReclamation()
    XCTAssertEqual(tracker.alive, 0)
    XCTAssertEqual(tracker.created, 1)
  }

  func testTheFunctionUsesContainers() throws {
    let found = Guarded<Int>()
    let isParked = Barrier(2)
    let container = container
    try container.register(Int.self) { _ in 7 }
    try container.register(String.self) { _ in
      Container.abandonResolves {
        found.value = try? container.resolve(Int.self)
        isParked.wait()
        while true { Thread.sleep(forTimeInterval: 1000) }
      }
    }
    Thread.detachNewThread { _ = try? container.resolve(String.self) }
    isParked.wait()
    XCTAssertEqual(found.value, 7)
    // The closures hold the container.
    container.removeAll()
  }
}
