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

final class GraphTests: ContainerTestCase {
  private let tracker = LifetimeTracker()

  private func registerGraph(in container: Container) throws {
    try container.register(Tracked.self, scope: .graph) { [tracker] _ in tracker.make() }
  }

  // MARK: - Within one resolution

  func testOneInstanceForEachResolution() throws {
    try registerGraph(in: container)
    try container.register(Pair.self) { try Pair($0) }
    let first = try container.resolve(Pair.self)
    let second = try container.resolve(Pair.self)
    XCTAssertTrue(first.left === first.right)
    XCTAssertTrue(second.left === second.right)
    XCTAssertFalse(first.left === second.left)
    XCTAssertFalse(try container.resolve(Tracked.self) === container.resolve(Tracked.self))
  }

  func testAGraphInstanceIsSharedThroughNestedTransients() throws {
    try registerGraph(in: container)
    try container.register(Pair.self) { try Pair($0) }
    try container.register([Pair].self) {
      [try $0.resolve(Pair.self), try $0.resolve(Pair.self)]
    }
    try container.register([[Pair]].self) {
      [try $0.resolve([Pair].self), [try Pair($0)], try $0.resolve([Pair].self)]
    }
    let pairs = try container.resolve([[Pair]].self).joined()
    XCTAssertEqual(Set(pairs.flatMap { [$0.left.serial, $0.right.serial] }).count, 1)
  }

  func testAGraphInstanceIsSharedThroughSharedInstances() throws {
    for scope in [AnyScope.singleton, .weak, .graph, .cached(for: .seconds(3600))] {
      let container = Container()
      try registerGraph(in: container)
      try container.register(Pair.self, scope: scope) { try Pair($0) }
      try container.register([Tracked].self) {
        let pair = try $0.resolve(Pair.self)
        return [try $0.resolve(Tracked.self), pair.left, pair.right]
      }
      let instances = try container.resolve([Tracked].self)
      XCTAssertEqual(Set(instances.map(\.serial)).count, 1, "\(scope)")
    }
  }

  func testAGraphInstanceIsSharedWithActionsAfterInit() throws {
    try registerGraph(in: container)
    try container.register(Pair.self) { try Pair($0) }.afterInit { resolver, pair in
      XCTAssertTrue(try resolver.resolve(Tracked.self) === pair.left)
    }
    try container.register(Pair.self, name: "shared", scope: .graph) { try Pair($0) }
      .afterInit { resolver, pair in
        XCTAssertTrue(try resolver.resolve(Tracked.self) === pair.left)
      }
    _ = try container.resolve(Pair.self)
    _ = try container.resolve(Pair.self, name: "shared")
  }

  func testAGraphInstanceIsSharedWithAThreadThatGetsTheResolver() throws {
    try registerGraph(in: container)
    try container.register([Tracked].self) { resolver in
      let own = try resolver.resolve(Tracked.self)
      return try onThreads(4) { _ in try resolver.resolve(Tracked.self) } + [own]
    }
    for scope in [AnyScope.transient, .singleton, .graph] {
      try container.register([[Tracked]].self, scope: scope) {
        [try $0.resolve([Tracked].self), [try $0.resolve(Tracked.self)]]
      }
      let instances = try container.resolve([[Tracked]].self).joined()
      XCTAssertEqual(Set(instances.map(\.serial)).count, 1, "\(scope)")
    }
  }

  func testAGraphInstanceIsSharedThroughProvidersAndBorrowing() throws {
    try registerGraph(in: container)
    try container.register(Bool.self) { resolver in
      let own = try resolver.resolve(Tracked.self)
      let lent = try resolver.withResolved(Tracked.self) { $0 === own }
      return try lent && resolver.resolveIfRegistered(Tracked.self) === own
    }
    XCTAssertTrue(try container.resolve(Bool.self))
  }

  func testAResolveOfTheContainersIsAResolutionOfItsOwn() throws {
    try registerGraph(in: container)
    for scope in [AnyScope.transient, .singleton, .graph] {
      try container.register([Tracked].self, scope: scope) { resolver in
        let container = try resolver.container
        return [
          try resolver.resolve(Tracked.self), try container.resolve(Tracked.self),
          try container.resolve(Tracked.self), try resolver.resolve(Tracked.self),
        ]
      }
      let instances = try container.resolve([Tracked].self)
      XCTAssertEqual(Set(instances.map(\.serial)).count, 3, "\(scope)")
      XCTAssertTrue(instances[0] === instances[3], "\(scope)")
    }
  }

  func testAResolutionInAnotherContainerIsAnother() throws {
    let other = Container()
    try registerGraph(in: other)
    try registerGraph(in: container)
    try container.register([Tracked].self) {
      [
        try $0.resolve(Tracked.self), try other.resolve(Tracked.self),
        try other.resolve(Tracked.self), try $0.resolve(Tracked.self),
      ]
    }
    let instances = try container.resolve([Tracked].self)
    XCTAssertEqual(Set(instances.map(\.serial)).count, 3)
    XCTAssertTrue(instances[0] === instances[3])
  }

  func testNamesAreApart() throws {
    try registerGraph(in: container)
    try container.register(Tracked.self, name: "b", scope: .graph) { [tracker] _ in
      tracker.make()
    }
    try container.register(Bool.self) {
      try $0.resolve(Tracked.self) === $0.resolve(Tracked.self, name: "b")
    }
    XCTAssertFalse(try container.resolve(Bool.self))
  }

  // MARK: - Families

  func testRegisteredAfterTransientsAndChildrenExist() throws {
    try container.register(Pair.self) { try Pair($0) }
    let child = Container(parent: container)
    let scope = child.makeScope()
    try container.register(Tracked.self) { [tracker] _ in tracker.make() }
    for asked in [container, child, scope] {
      let pair = try asked.resolve(Pair.self)
      XCTAssertFalse(pair.left === pair.right)
    }
    try child.register(Tracked.self) { [tracker] _ in tracker.make() }.as(.graph)
    let above = try container.resolve(Pair.self)
    XCTAssertFalse(above.left === above.right)
    for asked in [child, scope, Container(parent: scope)] {
      let pair = try asked.resolve(Pair.self)
      XCTAssertTrue(pair.left === pair.right)
    }
  }

  func testContainersOfOneResolutionHaveInstancesOfTheirOwn() throws {
    try registerGraph(in: container)
    try container.register([Tracked].self, scope: .singleton) { [try $0.resolve(Tracked.self)] }
    let child = Container(parent: container)
    try child.register([[Tracked]].self) {
      [[try $0.resolve(Tracked.self)], try $0.resolve([Tracked].self)]
    }
    let instances = try child.resolve([[Tracked]].self)
    XCTAssertFalse(instances[0][0] === instances[1][0], "a child's must not reach a singleton")
  }
}
