// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

final class UnregisterTests: ContainerTestCase {
  func testUnregisterTellsWhetherThereWasSomething() throws {
    XCTAssertFalse(container.unregister(Int.self))
    try container.register(Int.self) { _ in 1 }
    XCTAssertTrue(container.unregister(Int.self))
    XCTAssertFalse(container.unregister(Int.self))
  }

  func testAnUnregisteredKeyIsMissing() throws {
    try container.register(Int.self) { _ in 1 }
    container.unregister(Int.self)
    XCTAssertFalse(container.contains(Int.self))
    XCTAssertThrowsError(try container.resolve(Int.self))
    XCTAssertNil(try container.resolveIfRegistered(Int.self))
  }

  func testAnUnregisteredKeyMayBeRegisteredAgain() throws {
    try container.register(Int.self) { _ in 1 }
    container.unregister(Int.self)
    try container.register(Int.self) { _ in 2 }
    XCTAssertEqual(try container.resolve(Int.self), 2)
  }

  func testUnregisterRemovesOnlyTheKeyGiven() throws {
    try container.register(Int.self) { _ in 1 }
    try container.register(Int.self, name: "a") { _ in 2 }
    try container.register(Int.self) { (_, addend: Int) in addend }
    try container.register(Int.self, name: "a") { (_, addend: Int) in addend + 1 }
    XCTAssertTrue(container.unregister(Int.self, name: "a"))
    XCTAssertTrue(container.contains(Int.self))
    XCTAssertTrue(container.contains(Int.self, arguments: Int.self))
    XCTAssertTrue(container.contains(Int.self, name: "a", arguments: Int.self))
    XCTAssertTrue(container.unregister(Int.self, arguments: Int.self))
    XCTAssertTrue(container.contains(Int.self))
    XCTAssertFalse(container.contains(Int.self, arguments: Int.self))
    XCTAssertTrue(container.contains(Int.self, name: "a", arguments: Int.self))
    XCTAssertTrue(container.unregister(Int.self, name: "a", arguments: Int.self))
    XCTAssertFalse(container.contains(Int.self, name: "a", arguments: Int.self))
  }

  func testRemoveAllRemovesEveryKindOfKey() throws {
    try container.register(Int.self) { _ in 1 }
    try container.register(Int.self, name: "a") { _ in 2 }.as(.singleton)
    try container.register(Motor.self) { _ in Motor() }.as(.unchecked(.weak))
    try container.register(Int.self, onDuplicate: .refuse) { (_, addend: Int) in addend }
    _ = try container.resolve(Int.self, name: "a")
    container.removeAll()
    XCTAssertFalse(container.contains(Int.self))
    XCTAssertFalse(container.contains(Int.self, name: "a"))
    XCTAssertFalse(container.contains(Motor.self))
    XCTAssertFalse(container.contains(Int.self, arguments: Int.self))
  }

  func testAnEmptiedContainerMayBeFilledAgain() throws {
    try container.register(Int.self, onDuplicate: .refuse) { _ in 1 }
    container.removeAll()
    container.removeAll()
    try container.register(Int.self) { _ in 2 }
    XCTAssertEqual(try container.resolve(Int.self), 2)
  }

  func testContainsDoesNotBuild() throws {
    try container.register(Int.self) { _ in throw FixtureError("built") }.as(.singleton)
    XCTAssertTrue(container.contains(Int.self))
  }

  func testContainsTellsArgumentTypesApart() throws {
    try container.register(Int.self) { (_, addend: Int, text: String) in addend }
    XCTAssertTrue(container.contains(Int.self, arguments: Int.self, String.self))
    XCTAssertFalse(container.contains(Int.self, arguments: String.self, Int.self))
    XCTAssertFalse(container.contains(Int.self, arguments: Int.self))
    XCTAssertFalse(container.contains(Int.self))
  }
}
