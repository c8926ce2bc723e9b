// SPDX-License-Identifier: MIT

import FusionDialect
import TestSupport
import XCTest

final class ResolvingTests: FusionTestCase {
  @PerTest private var container = Container()

  private enum Region: Hashable { case europe, america }

  func testAMissingServiceIsNil() {
    XCTAssertNil(container.resolve(Logger.self))
    XCTAssertNil(container.resolve(Logger.self, id: "a"))
    XCTAssertNil(Container.resolve(Logger.self))
    XCTAssertNil(Container.resolve(Logger.self, id: 1))
  }

  func testTheTypeIsInferred() throws {
    container.bind(value: 1)
    let optional: Int? = container.resolve()
    let asserted: Int = container.resolveAssert()
    let thrown: Int = try container.resolveThrowing()
    XCTAssertEqual([optional, asserted, thrown], [1, 1, 1])
  }

  func testTheErrorNamesTypeAndIdentifier() {
    XCTAssertThrowsError(try container.resolveThrowing(Logger.self, id: 7)) { error in
      guard case FusionError.notRegistered(let type, let id) = error else {
        return XCTFail("\(error)")
      }
      XCTAssertTrue(type == Logger.self)
      XCTAssertEqual(id, 7)
      XCTAssertEqual("\(error)", "Nothing is bound to Logger with the id 7.")
    }
    XCTAssertThrowsError(try container.resolveThrowing(Int.self)) { error in
      guard case FusionError.notRegistered(type: _, id: nil) = error else {
        return XCTFail("\(error)")
      }
      XCTAssertEqual("\(error)", "Nothing is bound to Int.")
    }
  }

  func testIdentifiersAreAnythingHashable() {
    container.bind(id: "text", value: "a")
    container.bind(id: 7, value: "b")
    container.bind(id: Region.europe, value: "c")
    container.bind(id: [1, 2], value: "d")
    XCTAssertEqual(container.resolve(String.self, id: "text"), "a")
    XCTAssertEqual(container.resolve(String.self, id: AnyHashable("text")), "a")
    XCTAssertEqual(container.resolve(String.self, id: 7), "b")
    XCTAssertEqual(container.resolve(String.self, id: Region.europe), "c")
    XCTAssertNil(container.resolve(String.self, id: Region.america))
    XCTAssertEqual(container.resolve(String.self, id: [1, 2]), "d")
    XCTAssertNil(container.resolve(String.self))
  }

  func testAnIdentifierDoesNotFallBackToNone() {
    container.bind(value: "none")
    XCTAssertNil(container.resolve(String.self, id: "a"))
    container.bind(id: "a", value: "a")
    container.unbind(type: String.self)
    XCTAssertNil(container.resolve(String.self))
  }

  func testAnIdentifierOfNilIsTheSameAsNone() throws {
    let none: String? = nil
    let some: String? = "a"
    container.bind(id: none, value: "none")
    container.bind(id: some, value: "some")
    XCTAssertEqual(container.resolve(String.self), "none")
    XCTAssertEqual(container.resolve(String.self, id: nil), "none")
    XCTAssertEqual(container.resolve(String.self, id: none), "none")
    XCTAssertEqual(container.resolve(String.self, id: "a"), "some")
    XCTAssertEqual(container.resolve(String.self, id: some), "some")
    XCTAssertEqual(try container.resolveThrowing(String.self, id: none), "none")
    container.unbind(type: String.self, id: none)
    XCTAssertNil(container.resolve(String.self))
  }

  func testSingletonsOfTwoIdentifiersAreTwo() {
    container.bind(.singleton, id: "a", value: Numbered())
    container.bind(.singleton, id: "b", value: Numbered())
    let first = container.resolveAssert(Numbered.self, id: "a")
    XCTAssertEqual(first, container.resolve(Numbered.self, id: "a"))
    XCTAssertNotEqual(first, container.resolve(Numbered.self, id: "b"))
  }

  func testAServiceIsTakenAsItselfWhereAnOptionalDoesNotFit() {
    container.bind(value: "text")
    let text: String = container.resolve(String.self)
    let inferred: String = container.resolve()
    let optional = container.resolve(String.self)
    XCTAssertEqual([text, inferred], ["text", "text"])
    XCTAssertTrue(type(of: optional) == String?.self)
  }

  func testTheStaticFunctionsReadMainAtEachCall() {
    Container.bind(value: 1)
    let former = Container.main
    Container.main = Container()
    XCTAssertNil(Container.resolve(Int.self))
    Container.bind(value: 2)
    XCTAssertEqual(Container.resolve(Int.self), 2)
    XCTAssertEqual(former.resolve(Int.self), 1)
  }

  func testMainDefaultAndGlobalAreOneContainer() {
    let container = Container()
    Container.default = container
    XCTAssertTrue(Container.main === container)
    XCTAssertTrue(Container.global === container)
    let other = Container()
    Container.global = other
    XCTAssertTrue(Container.main === other)
    XCTAssertTrue(Container.default === other)
  }
}
