// SPDX-License-Identifier: MIT

import MacaroniDialect
import XCTest

/// A container looks up in its parent what it lacks.
final class ParentTests: MacaroniTestCase {
  func testAMissingKeyIsLookedUpInTheParent() throws {
    let parent = Container(name: "parent")
    let child = Container(parent: Container(parent: parent))
    parent.register { 1 }
    parent.register(alternative: .another) { 2 }
    parent.register { (parameter: Any) -> Int in parameter as? Int ?? 0 }
    XCTAssertEqual(try child.resolve() as Int, 1)
    XCTAssertEqual(try child.resolve(alternative: .another) as Int, 2)
    XCTAssertEqual(try child.resolve(parameter: 3) as Int, 3)
    let optional: Int? = try child.resolve()
    XCTAssertEqual(optional, 1)
  }

  func testTheChildIsServedFirst() throws {
    let parent = Container()
    let child = Container(parent: parent)
    parent.register { 1 }
    child.register { 2 }
    XCTAssertEqual(try child.resolve() as Int, 2)
    XCTAssertEqual(try parent.resolve() as Int, 1)
    let optional: Int? = try child.resolve()
    XCTAssertEqual(optional, 2)
  }

  func testAParentDoesNotSeeItsChildren() {
    let parent = Container()
    let child = Container(parent: parent)
    child.register { 1 }
    XCTAssertThrowsError(try parent.resolve() as Int)
    XCTAssertFalse(parent.isResolvable(Int.self))
  }

  func testAlternativesCountInTheParentToo() {
    let parent = Container()
    let child = Container(parent: parent)
    parent.register(alternative: "a") { 1 }
    XCTAssertTrue(child.isResolvable(Int.self, alternative: "a"))
    XCTAssertTrue(child.isResolvable(Int?.self, alternative: "a"))
    XCTAssertFalse(child.isResolvable(Int.self))
    XCTAssertFalse(child.isResolvable(Int.self, alternative: "b"))
  }

  func testCleanupLeavesTheParent() {
    let parent = Container()
    let child = Container(parent: parent)
    parent.register { 1 }
    child.register { 2 }
    child.cleanup()
    XCTAssertEqual(try child.resolve() as Int, 1)
  }

  func testAChildKeepsItsParent() {
    let child: Container
    do {
      let parent = Container()
      parent.register { 1 }
      child = Container(parent: parent)
    }
    XCTAssertEqual(try child.resolve() as Int, 1)
  }

  func testPropertiesAreInjectedFromTheParent() {
    let parent = Container()
    parent.register { enclosing -> String in "\(type(of: enclosing))" }
    parent.register { 1 }
    Container.lookupPolicy = .singleton(Container(parent: parent))

    class Owner {
      @Injected var name: String
      @Injected var number: Int
    }
    let owner = Owner()
    XCTAssertEqual(owner.name, "Owner")
    XCTAssertEqual(owner.number, 1)
  }
}
