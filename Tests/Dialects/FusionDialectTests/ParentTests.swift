// SPDX-License-Identifier: MIT

import FusionDialect
import TestSupport
import XCTest

final class ParentTests: FusionTestCase {
  @PerTest private var parent = Container()
  private lazy var child = Container(parent: parent)

  func testAFactoryOfTheParentGetsTheParent() {
    parent.bind(value: 1)
    child.bind(value: 2)
    for behavior in [Container.ResolveBehavior.transient, .singleton] {
      parent.bind(behavior, to: String.self) { "\($0.resolveAssert(Int.self))" }
      XCTAssertEqual(child.resolve(String.self), "1")
    }
  }

  func testASingletonOfTheParentIsSharedWithItsChildren() {
    parent.bind(.singleton, value: Numbered())
    let other = Container(parent: parent)
    let first = child.resolveAssert(Numbered.self)
    XCTAssertEqual(first, parent.resolve(Numbered.self))
    XCTAssertEqual(first, other.resolve(Numbered.self))
  }

  func testABindingOfTheChildHidesThatOfTheParentAndLeavesIt() {
    parent.bind(.singleton, value: "parent")
    XCTAssertEqual(child.resolve(String.self), "parent")
    child.bind(.singleton, value: "child")
    XCTAssertEqual(child.resolve(String.self), "child")
    XCTAssertEqual(parent.resolve(String.self), "parent")
    child.unbind(type: String.self)
    XCTAssertEqual(child.resolve(String.self), "parent")
  }

  func testUnbindingInTheChildLeavesTheParent() {
    parent.bind(value: 1)
    child.unbind(type: Int.self)
    XCTAssertEqual(child.resolve(Int.self), 1)
  }

  func testIdentifiersAreLookedUpInTheParent() {
    parent.bind(id: "a", value: 1)
    XCTAssertEqual(child.resolve(Int.self, id: "a"), 1)
    XCTAssertNil(child.resolve(Int.self))
  }

  func testGrandparentsAreAskedToo() throws {
    parent.bind(value: 1)
    let grandchild = Container(parent: child)
    XCTAssertEqual(grandchild.resolve(Int.self), 1)
    XCTAssertEqual(grandchild.resolveAssert(Int.self), 1)
    XCTAssertEqual(try grandchild.resolveThrowing(Int.self), 1)
  }

  func testAChildKeepsItsParentAndNotTheReverse() {
    let tracker = LifetimeTracker()
    var child: Container?
    weak var weakParent: Container?
    weak var weakChild: Container?
    do {
      let parent = Container()
      parent.bind(.singleton, value: tracker.make())
      parent.bind(to: Int.self) { $0.resolveAssert(Tracked.self).serial }
      child = Container(parent: parent)
      (weakParent, weakChild) = (parent, child)
    }
    XCTAssertEqual(child?.resolve(Int.self), 1)
    XCTAssertNotNil(weakParent)
    child = nil
    XCTAssertNil(weakChild)
    XCTAssertNil(weakParent)
    settleReclamation()
    XCTAssertEqual(tracker.alive, 0)
  }
}
