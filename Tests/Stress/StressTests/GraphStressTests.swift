// SPDX-License-Identifier: MIT

import Corinth
import Foundation
import TestSupport
import XCTest

/// Graph instances, which belong to one resolution, while other threads resolve.
final class GraphStressTests: StressTestCase {
  private struct Pair: Sendable {
    let left: Tracked
    let right: Tracked

    init(_ resolver: Resolver, between: () -> Void = { sched_yield() }) throws {
      left = try resolver.resolve(Tracked.self)
      between()
      right = try resolver.resolve(Tracked.self)
    }
  }

  private let threads = 4

  private func makeContainer(_ tracker: LifetimeTracker) throws -> Container {
    let container = Container()
    try container.register(Tracked.self, scope: .graph) { _ in tracker.make() }
    try container.register(Pair.self) { try Pair($0) }
    return container
  }

  func testResolutionsNeverShareBesideBusyNeighbors() throws {
    let tracker = LifetimeTracker()
    let (container, unrelated) = (try makeContainer(tracker), try makeContainer(tracker))
    let rounds = StressSize.scaled(10_000, sanitized: 1_000)
    let serials = try onThreads(threads) { index in
      let asked = index == 0 ? unrelated : index == 1 ? Container(parent: container) : container
      return try (0..<rounds).map { _ in
        let pair = try asked.resolve(Pair.self)
        XCTAssertTrue(pair.left === pair.right)
        return pair.left.serial
      }
    }
    XCTAssertEqual(Set(serials.joined()).count, threads * rounds)
    XCTAssertEqual(tracker.created, threads * rounds)
    assertNoneLeft(tracker)
  }

  /// A resolution that is under way elsewhere, for as long as this takes, is nobody else's.
  func testResolutionsNeverShareWhileAnotherOneIsOpen() throws {
    let tracker = LifetimeTracker()
    let (container, unrelated) = (try makeContainer(tracker), try makeContainer(tracker))
    let isOpen = Barrier(3)
    let isDone = Gate()
    for busy in [container, unrelated] {
      try busy.register(Int.self, scope: .graph) { resolver in
        let own = try resolver.resolve(Tracked.self)
        isOpen.wait()
        isDone.wait()
        XCTAssertTrue(try resolver.resolve(Tracked.self) === own)
        return own.serial
      }
    }
    let serials = try onThreads(3) { index in
      switch index {
      case 0: return [try container.resolve(Int.self)]
      case 1: return [try unrelated.resolve(Int.self)]
      default:
        defer { isDone.open() }
        isOpen.wait()
        return try (0..<10).map { _ in try container.resolve(Tracked.self).serial }
      }
    }
    XCTAssertEqual(Set(serials.joined()).count, 12)
    assertNoneLeft(tracker)
  }

  /// Nobody waits for another resolution's factory, and a factory may wait for another thread's
  /// resolves.
  func testAGraphFactoryThatWaitsHoldsNobodyUp() throws {
    let tracker = LifetimeTracker()
    let container = try makeContainer(tracker)
    try container.register(String.self, scope: .singleton) { _ in "ready" }
    _ = try container.resolve(String.self)
    try container.register(Double.self, scope: .singleton) { _ in 1 }
    try container.register(Int.self, scope: .graph) { resolver in
      try onThreads(2) { index in
        XCTAssertEqual(try container.resolve(String.self), "ready")
        XCTAssertEqual(try container.resolve(Double.self), 1)
        _ = try container.resolve(Pair.self)
        _ = try resolver.resolve(Pair.self)
      }
      return 1
    }
    XCTAssertEqual(try container.resolve(Int.self), 1)
    container.removeAll()
    assertNoneLeft(tracker)
  }

  func testAnInstanceIsBuiltOnceByThreadsThatShareAResolver() throws {
    let tracker = LifetimeTracker()
    let container = Container()
    try container.register(Tracked.self, scope: .graph) { _ in
      usleep(500)
      return tracker.make()
    }
    try container.register(Pair.self) { try Pair($0) }
    let threads = threads
    for scope in [AnyScope.transient, .graph, .singleton] {
      try container.register([Pair].self, scope: scope) { resolver in
        try onThreads(threads) { index in
          index % 2 == 0
            ? try Pair(resolver) : try resolver.resolve(Pair.self)
        }
      }
      let rounds = StressSize.scaled(20)
      for _ in 0..<rounds {
        let pairs = try container.resolve([Pair].self)
        XCTAssertEqual(Set(pairs.flatMap { [$0.left.serial, $0.right.serial] }).count, 1)
        container.release([Pair].self)
      }
    }
    XCTAssertEqual(tracker.created, 3 * StressSize.scaled(20))
    assertNoneLeft(tracker)
  }

  /// A thread that goes on with a resolver whose resolution ends meanwhile gets an instance of that
  /// one, or begins one of its own, and leaves nothing.
  func testAResolverThatOutlivesItsResolutionInAnotherThread() throws {
    let tracker = LifetimeTracker()
    let container = try makeContainer(tracker)
    try container.register(Resolver.self) { resolver in
      _ = try resolver.resolve(Tracked.self)
      return resolver
    }
    for _ in 0..<StressSize.scaled(500, sanitized: 100) {
      let handed = Shared<Resolver?>(nil)
      let start = Barrier(3)
      try container.register(Int.self, scope: .graph) { resolver in
        handed.value = resolver
        start.wait()
        return try resolver.resolve(Tracked.self).serial
      }
      try onThreads(3) { index in
        if index == 0 {
          _ = try container.resolve(Int.self)
          return
        }
        start.wait()
        let resolver = try XCTUnwrap(handed.value)
        for _ in 0..<5 {
          let pair = try resolver.resolve(Pair.self)
          XCTAssertGreaterThan(pair.left.serial, 0)
        }
      }
    }
    container.removeAll()
    assertNoneLeft(tracker)
  }

  func testAFamilysFirstGraphRegistrationCountsAtOnce() throws {
    let tracker = LifetimeTracker()
    for _ in 0..<StressSize.scaled(300, sanitized: 50) {
      let parent = Container()
      try parent.register(Tracked.self) { _ in tracker.make() }
      try parent.register(Pair.self) { try Pair($0) }
      try onThreads(threads) { index in
        let child = Container(parent: parent)
        for _ in 0..<3 {
          let pair = try child.resolve(Pair.self)
          XCTAssertFalse(pair.left === pair.right)
        }
        try child.register(Tracked.self, scope: .graph) { _ in tracker.make() }
        for _ in 0..<3 {
          let pair = try child.resolve(Pair.self)
          XCTAssertTrue(pair.left === pair.right)
        }
      }
    }
    assertNoneLeft(tracker)
  }

  func testResolutionsLeaveNoGrowth() throws {
    let tracker = LifetimeTracker()
    let container = try makeContainer(tracker)
    try container.register(Resolver.self, scope: .graph) { $0 }
    // A thread that gives way a million times waits for minutes beside busy programs.
    try container.register(Pair.self) { try Pair($0, between: {}) }
    try assertMemoryStaysFlat(after: StressSize.scaled(200_000)) { index in
      switch index % 4 {
      case 0: _ = try container.resolve(Pair.self)
      case 1: _ = try container.resolve(Resolver.self).resolve(Tracked.self)
      default: _ = try container.resolve(Tracked.self)
      }
    }
    assertNoneLeft(tracker)
  }
}
