// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

final class ProviderTests: ContainerTestCase {
  private let tracker = LifetimeTracker()

  func testAProviderFollowsTheScope() throws {
    try container.register(Tracked.self) { [tracker] _ in tracker.make() }
    let provider = try container.provider(for: Tracked.self)
    XCTAssertEqual(tracker.created, 0)
    XCTAssertEqual(try provider().serial, 1)
    XCTAssertEqual(try provider().serial, 2)
    try container.register(Tracked.self) { [tracker] _ in tracker.make() }.as(.singleton)
    XCTAssertEqual(try provider().serial, 3)
    XCTAssertEqual(try provider().serial, 3)
    try container.register(Tracked.self) { [tracker] _ in tracker.make() }.as(.weak)
    XCTAssertEqual(try provider().serial, 4)
    XCTAssertEqual(try provider().serial, 5)
    let kept = try provider()
    XCTAssertTrue(try provider() === kept)
  }

  func testAProviderOfNothingIsAnError() throws {
    XCTAssertThrowsError(try container.provider(for: Int.self)) { error in
      guard case ResolutionError.noRegistrationFound = error else { return XCTFail("\(error)") }
    }
    try container.register(Int.self) { _ in 1 }
    container.unregister(Int.self)
    XCTAssertThrowsError(try container.provider(for: Int.self))
  }

  func testAProviderReportsARegistrationThatIsGoneAndFindsItsSuccessor() throws {
    try container.register(Int.self, name: "a") { _ in 1 }
    let provider = try container.provider(for: Int.self, name: "a")
    container.unregister(Int.self, name: "a")
    XCTAssertThrowsError(try provider()) { error in
      guard case ResolutionError.noRegistrationFound(let context) = error else {
        return XCTFail("\(error)")
      }
      XCTAssertEqual(context.key.description, "Int named \"a\"")
    }
    try container.register(Int.self, name: "a") { _ in 2 }
    XCTAssertEqual(try provider(), 2)
  }

  func testAProviderKeepsItsContainer() throws {
    let provider: Provider<Tracked>
    do {
      let container = Container()
      try container.register(Tracked.self) { [tracker] _ in tracker.make() }.as(.singleton)
      provider = try container.provider(for: Tracked.self)
    }
    XCTAssertEqual(try provider().serial, 1)
    XCTAssertEqual(tracker.alive, 1)
  }

  func testAProviderInAFactoryClosesACycle() throws {
    final class Parent {
      let child: Provider<Child>
      init(_ child: Provider<Child>) { self.child = child }
    }
    final class Child {
      let parent: Parent
      init(_ parent: Parent) { self.parent = parent }
    }
    try container.register(Parent.self) { Parent(try $0.provider(for: Child.self)) }
      .as(.unchecked(.singleton))
    try container.register(Child.self) { Child(try $0.resolve(Parent.self)) }
      .as(.unchecked(.singleton))
    let child = try container.resolve(Child.self)
    XCTAssertTrue(try child.parent.child() === child)
    container.removeAll()
  }

  func testAProviderCalledWithinItsFactorysConstructionIsACycle() throws {
    try container.register(Node<A>.self) { Node(try $0.provider(for: Node<B>.self)()) }
      .as(.unchecked(.singleton))
    try container.register(Node<B>.self) { Node(try $0.provider(for: Node<A>.self)()) }
      .as(.unchecked(.singleton))
    XCTAssertThrowsError(try container.resolve(Node<A>.self)) { error in
      guard case ResolutionError.circularDependencyDetected = error else {
        return XCTFail("\(error)")
      }
    }
  }

  func testAProviderOfAThrowingFactoryThrows() throws {
    try container.register(Int.self) { _ in throw FixtureError("no number") }
    let provider = try container.provider(for: Int.self)
    XCTAssertThrowsError(try provider()) { error in
      XCTAssertEqual(
        (error as? ResolutionError)?.underlyingError as? FixtureError, FixtureError("no number"))
    }
  }
}
