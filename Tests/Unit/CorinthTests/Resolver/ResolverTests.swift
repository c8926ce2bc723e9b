// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

final class ResolverTests: ContainerTestCase {
  func testAResolverKnowsItsContainer() throws {
    try container.register(ObjectIdentifier.self) { ObjectIdentifier(try $0.container) }
    XCTAssertEqual(try container.resolve(ObjectIdentifier.self), ObjectIdentifier(container))
  }

  func testAResolverMayBeUsedAfterItsFactoryHasReturned() throws {
    let kept = Locked<Resolver?>(nil)
    try container.register(Node<A>.self) { resolver in
      kept.withLock { $0 = resolver }
      return Node()
    }.as(.unchecked(.singleton))
    let node = try container.resolve(Node<A>.self)
    let resolver = try XCTUnwrap(kept.withLock { $0 })
    kept.withLock { $0 = nil }
    XCTAssertTrue(try resolver.resolve(Node<A>.self) === node)
    try container.register(Node<A>.self) { Node(try $0.resolve(Node<B>.self)) }
      .as(.unchecked(.singleton))
    try container.register(Node<B>.self) { _ in Node() }.as(.unchecked(.singleton))
    XCTAssertNotNil(try resolver.resolve(Node<A>.self).dependency)
  }

  func testAFactoryMayHandItsResolverToAThreadAndWaitForIt() throws {
    try container.register(Int.self) { _ in 5 }.as(.singleton)
    try container.register(String.self) { resolver in
      "\(try onThreads(1) { _ in try resolver.resolve(Int.self) }[0])"
    }.as(.singleton)
    XCTAssertEqual(try container.resolve(String.self), "5")
  }

  func testACycleThroughAnotherThreadIsAnError() throws {
    try container.register(Node<A>.self) { resolver in
      try onThreads(1) { _ in _ = try resolver.resolve(Node<B>.self) }
      return Node()
    }.as(.unchecked(.singleton))
    try container.register(Node<B>.self) { Node(try $0.resolve(Node<A>.self)) }
      .as(.unchecked(.singleton))
    XCTAssertThrowsError(try container.resolve(Node<A>.self)) { error in
      guard case ResolutionError.circularDependencyDetected(let context) = error else {
        return XCTFail("\(error)")
      }
      XCTAssertEqual(context.path.map(\.description), ["Node<A>", "Node<B>", "Node<A>"])
    }
  }
}
