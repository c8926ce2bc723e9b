// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

/// While a container grows, no key that is present is ever missed.
class GrowthTests: ContainerTestCase {
  /// Fewer where keys collide, since lookups are linear then.
  private var keys: Int {
    fingerprintBits < 64
      ? StressSize.scaled(1000, sanitized: 400) : StressSize.scaled(20_000, sanitized: 3000)
  }

  func testPresentKeysAreNeverMissed() throws {
    let container = makeContainer()
    let keys = keys
    let present = AtomicCounter()
    try onThreads(5) { index in
      if index == 0 {
        for key in 0..<keys {
          try container.register(Int.self, name: Name(key), scope: .singleton) { _ in key }
          present.add()
        }
        return
      }
      var random = SeededGenerator(seed: UInt64(index))
      while present.value < keys {
        let count = present.value
        guard count > 0 else { continue }
        let key = Int.random(in: 0..<count, using: &random)
        XCTAssertEqual(try container.resolve(Int.self, name: Name(key)), key)
        XCTAssert(container.contains(Int.self, name: Name(count - 1)))
        XCTAssertNotNil(try container.resolveIfRegistered(Int.self, name: Name(key)))
      }
    }
    for key in 0..<keys {
      XCTAssertEqual(try container.resolve(Int.self, name: Name(key)), key)
    }
  }

  /// Each name is made anew, so that equal names differ in their storage.
  func testSeveralWritersAndNamesOfText() throws {
    let container = makeContainer()
    let writers = 3
    let keys = keys / writers
    let present = (0..<writers).map { _ in AtomicCounter() }
    @Sendable func name(_ key: Int, of writer: Int) -> Name {
      "a name that is too long to be kept inline: \(key) of \(writer)"
    }
    try onThreads(2 * writers) { index in
      let writer = index % writers
      if index < writers {
        for key in 0..<keys {
          try container.register(Int.self, name: name(key, of: writer)) { _ in key }
          present[writer].add()
        }
        return
      }
      var random = SeededGenerator(seed: UInt64(index))
      while present[writer].value < keys {
        let count = present[writer].value
        guard count > 0 else { continue }
        let key = Int.random(in: 0..<count, using: &random)
        XCTAssertEqual(try container.resolve(Int.self, name: name(key, of: writer)), key)
      }
    }
    for writer in 0..<writers {
      for key in 0..<keys {
        XCTAssertEqual(try container.resolve(Int.self, name: name(key, of: writer)), key)
      }
    }
  }

  /// Threads that register the same keys at the same time make one slot for each.
  func testWritersOfTheSameKeys() throws {
    let container = makeContainer()
    let tracker = LifetimeTracker()
    let keys = keys / 4
    let arrival = Barrier(4)
    try onThreads(4) { _ in
      for key in 0..<keys {
        if key % 64 == 0 { arrival.wait() }
        let name: Name = "a name that is too long to be kept inline: \(key)"
        try container.register(Tracked.self, name: name) { _ in tracker.make() }.as(.singleton)
        _ = try container.resolve(Tracked.self, name: name)
      }
    }
    for key in 0..<keys {
      let name: Name = "a name that is too long to be kept inline: \(key)"
      XCTAssert(container.unregister(Tracked.self, name: name))
      XCTAssertFalse(container.contains(Tracked.self, name: name), "\(name) is there twice")
    }
    assertNoneLeft(tracker)
  }
}
