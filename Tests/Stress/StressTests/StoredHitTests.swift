// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

/// Instances that are served inside of a section, without a count of references to what leads to
/// them: cached ones, and those that are kept for arguments.
final class StoredHitTests: StressTestCase {
  /// Unequal values, all with one hash.
  private struct Colliding: Hashable, Sendable {
    let value: Int
    func hash(into hasher: inout Hasher) {}
  }

  // MARK: - Cached

  /// Knows when it was served.
  private final class Dated: Tracked, @unchecked Sendable {
    let made = ContinuousClock.now
    // SAFETY: an atomic word each.
    let times = Locked(Times())

    struct Times: Sendable {
      /// After the first resolve that has got it; its time had begun by then.
      var isKnownSince: ContinuousClock.Instant?
      /// The last moment before a resolve that has got it.
      var lastAsked: ContinuousClock.Instant?
    }
  }

  /// By the system's clocks: the coarse ones as long as that is sure, then the exact one.
  func testAnInstanceIsServedForItsTimeAndNoLonger() throws {
    let lifetime = Duration.milliseconds(150)
    let all = Locked<[Dated]>([])
    let tracker = LifetimeTracker()
    let container = Container()
    try container.register(Dated.self, scope: .cached(for: lifetime)) { _ in
      let made = Dated(tracker)
      all.withLock { $0.append(made) }
      return made
    }
    let end = ContinuousClock.now + lifetime * StressSize.scaled(8, sanitized: 4)
    try onThreads(4) { _ in
      while ContinuousClock.now < end {
        let asked = ContinuousClock.now
        let instance = try container.resolve(Dated.self)
        let got = ContinuousClock.now
        instance.times.withLock {
          $0.isKnownSince = min($0.isKnownSince ?? got, got)
          $0.lastAsked = max($0.lastAsked ?? asked, asked)
        }
      }
    }
    var former: Dated?
    for instance in all.withLock({ $0 }) {
      let times = instance.times.withLock { $0 }
      let known = try XCTUnwrap(times.isKnownSince)
      XCTAssertLessThan(try XCTUnwrap(times.lastAsked), known + lifetime, "served after its time")
      if let former {
        XCTAssertGreaterThanOrEqual(instance.made, former.made + lifetime, "replaced too early")
      }
      former = instance
    }
    former = nil
    all.withLock { $0 = [] }
    container.removeAll()
    assertNoneLeft(tracker)
  }

  func testReleasesAndOverridesBesideHits() throws {
    for policy in [StalePolicy.wait, .serveStale] {
      let tracker = LifetimeTracker()
      let container = Container()
      let generations = Generations()
      @Sendable func register(_ generation: Int) throws {
        try container.register(
          Instance.self, scope: .cached(for: .seconds(3600), whileRefreshing: policy)
        ) { _ in Instance(tracker, generation: generation) }
      }
      try generations.advance(register)
      try besideAWriter(readers: 4, rounds: StressSize.scaled(3_000, sanitized: 300)) { written in
        if written % 8 == 0 {
          try generations.advance(register)
        } else {
          container.release(Instance.self)
        }
      } read: { _ in
        try generations.check { try container.resolve(Instance.self).generation }
      }
      container.removeAll()
      assertNoneLeft(tracker)
    }
  }

  // MARK: - For arguments

  func testHitsForArgumentsBesideReleasesAndOverrides() throws {
    let tracker = LifetimeTracker()
    let container = Container()
    let generations = Generations()
    @Sendable func register(_ generation: Int) throws {
      try container.register(Instance.self, scope: .singleton) { (_, _: Colliding, _: String) in
        Instance(tracker, generation: generation)
      }
    }
    try generations.advance(register)
    try besideAWriter(readers: 4, rounds: StressSize.scaled(3_000, sanitized: 300)) { written in
      if written % 8 == 0 {
        try generations.advance(register)
      } else {
        container.release(Instance.self, arguments: (Colliding, String).self)
      }
    } read: { index in
      for value in 0..<4 {
        // Not in the small form: its content is counted.
        let text = "the text of the argument number \(value % 2)"
        try generations.check {
          try container.resolve(
            Instance.self, arguments: Colliding(value: value + index), text
          ).generation
        }
      }
    }
    container.removeAll()
    assertNoneLeft(tracker)
  }

  func testEachValueOfOneHashHasItsInstanceBesideNewOnes() throws {
    let tracker = LifetimeTracker()
    let container = Container()
    try container.register(Instance.self, scope: .singleton) { (_, value: Colliding) in
      Instance(tracker, generation: value.value)
    }
    let first = try container.resolve(Instance.self, arguments: Colliding(value: 0))
    try besideAWriter(readers: 4, rounds: 200) { written in
      _ = try container.resolve(Instance.self, arguments: Colliding(value: written % 200))
    } read: { index in
      let value = Colliding(value: index * 10)
      XCTAssertEqual(try container.resolve(Instance.self, arguments: value).generation, value.value)
      XCTAssertTrue(
        try container.resolve(Instance.self, arguments: Colliding(value: 0)) === first)
    }
    container.removeAll()
    XCTAssertEqual(tracker.alive, 1)
  }

  /// The `==` of the arguments runs inside of a section. It may resolve, and remove what is
  /// searched.
  func testAComparisonMayResolveAndRemove() throws {
    struct Prying: Hashable, Sendable {
      let container: Container
      let value: Int
      static func == (left: Self, right: Self) -> Bool {
        _ = try? left.container.resolve(Int.self)
        if left.value < 0 || right.value < 0 { left.container.removeAll() }
        return left.value == right.value
      }
      func hash(into hasher: inout Hasher) {}
    }
    let tracker = LifetimeTracker()
    let container = Container()
    try container.register(Int.self, scope: .singleton) { _ in 5 }
    try container.register(Instance.self, scope: .singleton) { (_, value: Prying) in
      Instance(tracker, generation: value.value)
    }
    for _ in 0..<2 {
      for value in 0..<3 {
        let value = Prying(container: container, value: value)
        XCTAssertEqual(
          try container.resolve(Instance.self, arguments: value).generation, value.value)
      }
    }
    XCTAssertEqual(tracker.created, 3)
    let last = Prying(container: container, value: -1)
    _ = try? container.resolve(Instance.self, arguments: last)
    XCTAssertNil(try container.resolveIfRegistered(Instance.self, arguments: last))
    assertNoneLeft(tracker)
  }
}
