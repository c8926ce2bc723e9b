// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

private final class Pair: Sendable {
  let left: Tracked
  let right: Tracked

  init(_ resolver: Resolver) throws {
    left = try resolver.resolve(Tracked.self)
    right = try resolver.resolve(Tracked.self)
  }
}

/// An instance that keeps the resolver that its factory got.
private final class Keeper: Tracked, @unchecked Sendable {
  let resolver: Resolver

  init(_ tracker: LifetimeTracker, _ resolver: Resolver) {
    self.resolver = resolver
    super.init(tracker)
  }
}

/// What becomes of graph instances when their resolution is over.
final class GraphEndTests: ContainerTestCase {
  private let tracker = LifetimeTracker()

  private func registerGraph() throws {
    try container.register(Tracked.self, scope: .graph) { [tracker] _ in tracker.make() }
  }

  func testAGraphInstanceEndsWithTheResolution() throws {
    try registerGraph()
    try container.register(Int.self) { try $0.resolve(Tracked.self).serial }
    for serial in 1...5 {
      XCTAssertEqual(try container.resolve(Int.self), serial)
      XCTAssertEqual(tracker.left, 0)
    }
  }

  func testAGraphInstanceEndsWithAResolutionThatFails() throws {
    try registerGraph()
    for scope in [AnyScope.transient, .singleton, .graph] {
      try container.register(Int.self, scope: scope) {
        _ = try $0.resolve(Tracked.self)
        throw FixtureError("later")
      }
      XCTAssertThrowsError(try container.resolve(Int.self))
      XCTAssertEqual(tracker.left, 0, "\(scope)")
    }
  }

  func testAFailureLeavesNothingInTheResolution() throws {
    let attempts = AtomicCounter()
    try container.register(Tracked.self, scope: .graph) { [tracker] _ in
      if attempts.add() == 1 { throw FixtureError("first") }
      return tracker.make()
    }
    try container.register(Pair.self) {
      XCTAssertThrowsError(try $0.resolve(Tracked.self))
      return try Pair($0)
    }
    let pair = try container.resolve(Pair.self)
    XCTAssertTrue(pair.left === pair.right)
    XCTAssertEqual(attempts.value, 2)
  }

  func testInstancesThatKeepTheirResolverDoNotLeak() throws {
    let tracker = tracker
    for scope in [AnyScope.graph, .transient, .singleton] {
      let container = Container()
      try container.register(Keeper.self, scope: scope) { Keeper(tracker, $0) }
      try container.register([Keeper].self, scope: .graph) { [try $0.resolve(Keeper.self)] }
      try container.register(Keeper.self, name: "outer", scope: .graph) { resolver in
        _ = try resolver.resolve([Keeper].self)
        return Keeper(tracker, resolver)
      }
      _ = try container.resolve(Keeper.self, name: "outer")
      _ = try container.resolve([Keeper].self)
    }
    XCTAssertEqual(tracker.left, 0)
  }

  func testAKeptResolverBeginsResolutionsOfItsOwn() throws {
    try registerGraph()
    let tracker = tracker
    for scope in [AnyScope.transient, .graph, .singleton] {
      try container.register(Keeper.self, scope: scope) { resolver in
        _ = try resolver.resolve(Tracked.self)
        return Keeper(tracker, resolver)
      }
      try container.register(Pair.self) { try Pair($0) }
      let resolver = try container.resolve(Keeper.self).resolver
      XCTAssertFalse(
        try resolver.resolve(Tracked.self) === resolver.resolve(Tracked.self), "\(scope)")
      let pair = try resolver.resolve(Pair.self)
      XCTAssertTrue(pair.left === pair.right, "\(scope)")
    }
  }

  func testACycleIsAnError() throws {
    try container.register(Node<A>.self, scope: .graph) { Node(try $0.resolve(Node<B>.self)) }
    try container.register(Node<B>.self, scope: .graph) { Node(try $0.resolve(Node<A>.self)) }
    XCTAssertThrowsError(try container.resolve(Node<A>.self)) { error in
      guard case ResolutionError.circularDependencyDetected(let context) = error else {
        return XCTFail("\(error)")
      }
      XCTAssertEqual(
        context.path.map(\.product).map(ObjectIdentifier.init),
        [Node<A>.self, Node<B>.self, Node<A>.self].map(ObjectIdentifier.init))
    }
  }

  func testADeinitMayResolveInTheSameContainer() throws {
    let resolved = AtomicCounter()
    try registerGraph()
    let tracker = tracker
    try container.register(Farewell.self, scope: .graph) { resolver in
      let container = try resolver.container
      return Farewell(tracker) {
        if (try? container.resolve(Tracked.self)) != nil { resolved.add() }
      }
    }
    try container.register(Int.self) {
      _ = try $0.resolve(Farewell.self)
      return try $0.resolve(Tracked.self).serial
    }
    _ = try container.resolve(Int.self)
    XCTAssertEqual(resolved.value, 1)
    XCTAssertEqual(tracker.left, 0)
  }

  private final class Farewell: Tracked, @unchecked Sendable {
    private let body: @Sendable () -> Void

    init(_ tracker: LifetimeTracker, _ body: @escaping @Sendable () -> Void) {
      self.body = body
      super.init(tracker)
    }

    deinit { body() }
  }
}
