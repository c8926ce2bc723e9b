// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

/// Threads use their constructions again, in the same states too, while others join what they find
/// there.
final class ConstructionReuseStressTests: StressTestCase {
  private struct Refusal: Error {}

  private static let keys = 6
  private static let refusals = 3

  /// Each key's factory is refused a few times, so that its state is claimed again by threads that
  /// have just ended a construction there, and asks for the next key inside of that.
  func testResolvesJoinWhatIsUnderWayNow() throws {
    let tracker = LifetimeTracker()
    let rounds = StressSize.scaled(300)
    for _ in 0..<rounds {
      let container = try makeContainer(tracker)
      let found = try onThreads(4) { thread in
        (0..<Self.keys).map { offset in
          let name = Name((offset + thread) % Self.keys)
          while true {
            if let found = try? container.resolve(Tracked.self, name: name) { return (name, found) }
          }
        }
      }
      let instances = Dictionary(grouping: found.joined(), by: \.0)
      XCTAssertEqual(instances.count, Self.keys)
      for (_, same) in instances { XCTAssertTrue(same.allSatisfy { $0.1 === same[0].1 }) }
    }
    XCTAssertEqual(tracker.created, rounds * Self.keys)
    assertNoneLeft(tracker)
  }

  private func makeContainer(_ tracker: LifetimeTracker) throws -> Container {
    let container = Container()
    for index in 0..<Self.keys {
      let attempts = AtomicCounter()
      try container.register(Tracked.self, name: Name(index), scope: .singleton) { resolver in
        let attempt = attempts.add()
        if index + 1 < Self.keys {
          _ = try? resolver.resolve(Tracked.self, name: Name(index + 1))
        }
        if attempt <= Self.refusals { throw Refusal() }
        return tracker.make()
      }
    }
    return container
  }
}
