// SPDX-License-Identifier: MIT

import CTestSupport
import Corinth
import Foundation
import TestSupport
import XCTest

/// Forks in the middle of things.
class ForkStormTests: ForkTestCase {
  private var children: Int { StressSize.scaled(fingerprintBits < 64 ? 20 : 100) }

  /// Other threads register, override, build, drop and remove while children are made.
  func testForksWhileOtherThreadsUseTheContainer() throws {
    try skipUnderThreadSanitizer("the Swift runtime holds locks under ThreadSanitizer")
    let container = makeContainer()
    let tracker = LifetimeTracker()
    let names = (0..<8).map { Name($0) }
    let scopes: [AnyScope] = [.singleton, .weak, .transient]
    @Sendable func storm(_ round: Int) throws {
      let name = names[round % names.count]
      try container.register(Tracked.self, name: name, scope: scopes[round % 3]) { _ in
        tracker.make()
      }
      _ = try? container.resolve(Tracked.self, name: name)
      if round % 7 == 0 { container.unregister(Tracked.self, name: name) }
    }
    @Sendable func useOwnContainer() throws {
      let other = Container()
      try other.register(Tracked.self, scope: .singleton) { _ in tracker.make() }
      let instance = try other.resolve(Tracked.self)
      try expect(try other.resolve(Tracked.self) === instance, "built twice")
    }
    // Here the Swift runtime makes what it makes on first use, also at the end of a container: a
    // child would wait for ever for a thread that was making it.
    for round in 0..<names.count * 21 { try storm(round) }
    try useOwnContainer()
    let isOver = Flag()
    try onThreads(4) { [children] index in
      defer { isOver.isSet = true }
      if index > 0 {
        var round = index
        while !isOver.isSet {
          try storm(round)
          round += 5
        }
        return
      }
      for _ in 0..<children {
        try ForkedChild {
          for round in 0..<100 { try storm(round) }
          try useOwnContainer()
        }.checkSuccess()
      }
    }
    container.removeAll()
    assertNoneLeft(tracker)
  }

  /// Both processes return from the factory, each with an instance that it then keeps.
  func testAFactoryThatForks() throws {
    for scope in [AnyScope.singleton, .weak, .transient] {
      let container = makeContainer()
      let tracker = LifetimeTracker()
      let child = Shared<Int32>(-1)
      try container.register(Node<A>.self, scope: scope) { resolver in
        child.value = corinth_test_fork_here()
        _ = try resolver.resolve(Node<B>.self)
        return Node(tracker)
      }
      try container.register(Node<B>.self, scope: .singleton) { _ in Node(tracker) }
      let result = Result { try container.resolve(Node<A>.self) }
      if child.value == 0 { Self.exit(result, scope, in: container) }
      XCTAssertEqual(corinth_test_wait(child.value), 0, "in the child, \(scope)")
      _ = try result.get()
    }
  }

  /// Ends the child, with 0 if `result` is as it should be.
  private static func exit(
    _ result: Result<Node<A>, any Error>, _ scope: AnyScope, in container: Container
  ) -> Never {
    do {
      let instance = try result.get()
      if scope != .transient {
        try expect(try container.resolve(Node<A>.self) === instance, "built twice")
      }
      try container.register(Node<B>.self, scope: .weak) { _ in Node(LifetimeTracker()) }
      _ = try container.resolve(Node<B>.self)
      _exit(0)
    } catch {
      _exit(1)
    }
  }

  /// In the child too, a factory that needs itself is a cycle and not a construction left behind.
  func testAChildOfAFactoryFindsTheCycle() throws {
    let container = makeContainer()
    let tracker = LifetimeTracker()
    try container.register(Node<A>.self, scope: .singleton) { resolver in
      try ForkedChild {
        do {
          _ = try resolver.resolve(Node<A>.self)
          try expect(false, "no error")
        } catch ResolutionError.circularDependencyDetected {}
      }.checkSuccess()
      return Node(tracker)
    }
    _ = try container.resolve(Node<A>.self)
    container.removeAll()
    assertNoneLeft(tracker)
  }

  /// A deinit that runs because of an override forks; both processes go on reclaiming.
  func testADeinitThatForks() throws {
    let container = makeContainer()
    let tracker = LifetimeTracker()
    let child = Shared<Int32>(-1)
    try container.register(Farewell.self, scope: .singleton) { _ in
      Farewell(tracker) { child.value = corinth_test_fork_here() }
    }
    _ = try container.resolve(Farewell.self)
    container.unregister(Farewell.self)
    settleReclamation()
    if child.value == 0 {
      let counts = Reclamation.counts
      _exit(tracker.alive == 0 && counts.retired == counts.destroyed ? 0 : 1)
    }
    XCTAssertEqual(corinth_test_wait(child.value), 0)
    assertNoneLeft(tracker)
  }

  /// While another thread runs a deinit, its process forks: in the child that object will never be
  /// destroyed, which must not cost every later override a search for it.
  func testNothingIsPendingForEverInAChild() throws {
    let container = makeContainer()
    let tracker = LifetimeTracker()
    let inside = Gate()
    let mayEnd = Gate()
    try container.register(Farewell.self, scope: .singleton) { _ in
      Farewell(tracker) {
        inside.open()
        mayEnd.wait()
      }
    }
    _ = try container.resolve(Farewell.self)
    try onThreads(2) { index in
      if index == 0 {
        container.unregister(Farewell.self)
        return
      }
      inside.wait()
      defer { mayEnd.open() }
      try ForkedChild {
        for _ in 0..<100 { try container.register(Int.self) { _ in 1 } }
        settleReclamation()
        let counts = Reclamation.counts
        try expect(
          counts.retired == counts.destroyed, "pending: \(counts.retired - counts.destroyed)")
      }.checkSuccess()
    }
    assertNoneLeft(tracker)
  }
}
