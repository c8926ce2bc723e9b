// SPDX-License-Identifier: MIT

import TestSupport
import XCTest

@testable import Corinth

/// Threads that build in the cells of a resolution while the resolution ends: note 24.
final class GraphCellEndTests: StressTestCase {
  private let tracker = LifetimeTracker()
  private let container = Container()

  private protocol Held: Sendable {}
  private final class Leaf: Held {
    let tracked: Tracked
    init(_ tracked: Tracked) { self.tracked = tracked }
  }

  func testAnInstanceCompleteAfterTheResolutionIsOfTheResolveAlone() throws {
    let (tracker, begun, mayEnd) = (tracker, Gate(), Gate())
    let builders = Locked<[JoinableThread<Int>]>([])
    let captured = LifetimeTracker()
    do {
      let held = captured.make()
      try container.register(Leaf.self, scope: .graph) { _ in
        begun.open()
        mayEnd.wait()
        return withExtendedLifetime(held) { Leaf(tracker.make()) }
      }
    }
    try container.register(Tracked.self, scope: .graph) { _ in tracker.make() }
    try container.register(Int.self) { resolver in
      let first = try resolver.resolve(Tracked.self)
      let builder = JoinableThread { try resolver.resolve(Leaf.self).tracked.serial }
      builders.withLock { $0.append(builder) }
      begun.wait()
      return first.serial
    }
    XCTAssertEqual(try container.resolve(Int.self), 1)
    XCTAssertEqual(tracker.left, 0, "the resolution has let go of the instances it has")
    container.unregister(Leaf.self)
    settleReclamation()
    XCTAssertEqual(captured.alive, 1, "the factory runs")
    mayEnd.open()
    XCTAssertEqual(try builders.withLock { $0 }[0].join().get(), 2)
    assertNoneLeft(tracker)
    assertNoneLeft(captured)
  }

  /// A resolve that takes the ordinary steps finds the cell first, and claims the cell later. In
  /// between, the cell may be sealed: the resolve then begins a resolution of its own.
  func testAThreadThatNeedsABoxWhenTheResolutionEndsGetsOne() throws {
    let (tracker, container) = (tracker, container)
    let (next, isOver) = (Locked<Resolver?>(nil), Flag())
    try container.register(Leaf.self, scope: .graph) { _ in Leaf(tracker.make()) }
      .implements((any Held).self)
    try container.register(Int.self) { resolver in
      next.withLock { $0 = resolver }
      return 1
    }
    let stranger = JoinableThread {
      var failures: [String] = []
      while !isOver.isSet {
        guard let resolver = next.withLock({ $0.take() }) else { continue }
        do {
          _ = try resolver.resolve((any Held).self)
        } catch {
          failures.append("\(error)")
        }
      }
      return failures
    }
    for _ in 0..<StressSize.scaled(200_000, sanitized: 20_000) {
      _ = try container.resolve(Int.self)
    }
    isOver.isSet = true
    XCTAssertEqual(try stranger.join().get(), [])
    next.withLock { $0 = nil }
    assertNoneLeft(tracker)
  }
}
