// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

/// Beside a modifier, a resolve sees the registration before it or after it.
class ChainingTests: ContainerTestCase {
  func testResolvesBesideAModifier() throws {
    let container = makeContainer()
    let tracker = LifetimeTracker()
    let generations = Generations()

    @Sendable func register(_ generation: Int) throws {
      try container.register(Instance.self) { _ in Instance(tracker, generation: generation) }
        .as(.singleton)
    }

    try generations.advance(register)
    try besideAWriter(readers: 4, rounds: StressSize.scaled(10_000, sanitized: 1000)) { _ in
      try generations.advance(register)
    } read: { _ in
      try generations.check { try container.resolve(Instance.self).generation }
      var instances: [Instance] = []
      let current = try generations.unchanged {
        for _ in 0..<2 { instances.append(try container.resolve(Instance.self)) }
      }
      // Once the modifier has returned, there is one instance.
      if current != nil { XCTAssert(instances[0] === instances[1]) }
    }
    container.removeAll()
    assertNoneLeft(tracker)
  }

  /// A modifier never brings back what has been overridden: the last registration to be made is the
  /// one that stays, with its own modifier applied.
  func testModifiersBesideOtherRegistrations() throws {
    let container = makeContainer()
    let tracker = LifetimeTracker()
    let writers = 4
    let rounds = StressSize.scaled(1000, sanitized: 200)
    let arrival = Barrier(writers)
    let last = (0..<writers).map { _ in Shared<Tracked?>(nil) }
    try onThreads(writers) { index in
      for _ in 0..<rounds {
        arrival.wait()
        try container.register(Tracked.self) { _ in tracker.make() }.as(.singleton)
        arrival.wait()
        last[index].value = try container.resolve(Tracked.self)
        arrival.wait()
        XCTAssert(last[0].value === last[index].value)
      }
    }
    for each in last { each.value = nil }
    container.removeAll()
    assertNoneLeft(tracker)
  }
}
