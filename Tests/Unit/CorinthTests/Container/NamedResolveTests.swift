// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

extension Name {
  fileprivate static let mysql: Name = "mysql"
}

final class NamedResolveTests: ContainerTestCase {
  func testAResolveWithoutItsNameDoesNotFindANamedRegistration() throws {
    try container.register(Int.self, name: "a") { _ in 1 }
    XCTAssertThrowsError(try container.resolve(Int.self))
    XCTAssertFalse(container.contains(Int.self))
  }

  func testANamedResolveDoesNotFindARegistrationWithoutName() throws {
    try container.register(Int.self) { _ in 1 }
    XCTAssertThrowsError(try container.resolve(Int.self, name: "a"))
    XCTAssertThrowsError(try container.resolve(Int.self, name: ""))
  }

  func testTheEmptyNameIsAName() throws {
    try container.register(Int.self, name: "") { _ in 1 }
    XCTAssertEqual(try container.resolve(Int.self, name: ""), 1)
    XCTAssertThrowsError(try container.resolve(Int.self))
  }

  func testLiteralStoredAndInterpolatedNamesAreTheSame() throws {
    let stored: Name = "mysql"
    let part = "sql"
    try container.register(Int.self, name: "mysql") { _ in 1 }
    XCTAssertEqual(try container.resolve(Int.self, name: "mysql"), 1)
    XCTAssertEqual(try container.resolve(Int.self, name: stored), 1)
    XCTAssertEqual(try container.resolve(Int.self, name: .mysql), 1)
    XCTAssertEqual(try container.resolve(Int.self, name: "my\(part)"), 1)
    XCTAssertEqual(try container.resolve(Int.self, name: Name("my" + part)), 1)
    XCTAssertEqual(try container.resolve(Int.self, name: Name("mysql!".dropLast())), 1)
    let inferred: Int = try container.resolve(name: .mysql)
    XCTAssertEqual(inferred, 1)
  }

  func testLongNamesAreComparedByText() throws {
    let long = String(repeating: "a name too long to be kept inline ", count: 3)
    try container.register(Int.self, name: Name(long + "x")) { _ in 1 }
    try container.register(Int.self, name: Name(long + "y")) { _ in 2 }
    XCTAssertEqual(try container.resolve(Int.self, name: "\(long)x"), 1)
    XCTAssertEqual(try container.resolve(Int.self, name: "\(long)y"), 2)
    XCTAssertThrowsError(try container.resolve(Int.self, name: "\(long)z"))
  }

  func testNumbersAndEnumCasesAreNames() throws {
    try container.register(Int.self, name: Name(7)) { _ in 7 }
    try container.register(Int.self, name: Name(Role.admin)) { _ in 1 }
    try container.register(Int.self, name: Name(Role.guest(visits: 2))) { _ in 2 }
    XCTAssertEqual(try container.resolve(Int.self, name: Name(7)), 7)
    XCTAssertEqual(try container.resolve(Int.self, name: Name(Role.admin)), 1)
    XCTAssertEqual(try container.resolve(Int.self, name: Name(Role.guest(visits: 2))), 2)
    XCTAssertThrowsError(try container.resolve(Int.self, name: Name(Role.guest(visits: 3))))
    XCTAssertThrowsError(try container.resolve(Int.self, name: "7"))
  }

  func testAnOptionalNameVariableIsFollowed() throws {
    try container.register(Int.self) { _ in 0 }
    try container.register(Int.self, name: "a") { _ in 1 }
    let names: [Name?] = [nil, "a"]
    for (expected, name) in names.enumerated() {
      XCTAssertEqual(try container.resolve(Int.self, name: name), expected)
      XCTAssertEqual(try container.resolveIfRegistered(Int.self, name: name), expected)
      XCTAssertEqual(try container.provider(for: Int.self, name: name)(), expected)
      XCTAssertTrue(container.contains(Int.self, name: name))
    }
    XCTAssertEqual(try container.resolve(Int.self, name: nil), 0)
  }

  func testARegistrationOutlivesTheNameThatItWasMadeWith() throws {
    for index in 0..<100 {
      let name = Name("a name long enough to live on the heap, number \(index)")
      try container.register(Int.self, name: name) { _ in index }
    }
    for index in 0..<100 {
      let name = Name("a name long enough to live on the heap, number \(index)")
      XCTAssertEqual(try container.resolve(Int.self, name: name), index)
    }
  }

  func testEqualNamesOfDifferentTypesDoNotMix() throws {
    try container.register(Int.self, name: .mysql) { _ in 1 }
    try container.register(String.self, name: .mysql) { _ in "one" }
    XCTAssertEqual(try container.resolve(Int.self, name: .mysql), 1)
    XCTAssertEqual(try container.resolve(String.self, name: .mysql), "one")
  }

  /// The two have equal bits, and only their hashes differ: a cache in which both hashes lead to
  /// one entry served the integer's registration under the text.
  func testAnIntegerIsNotTheTextOfItsDigits() throws {
    for number in 0..<500 {
      let (byInteger, byText) = (Container(), Container())
      let (integer, text) = (Name(number), Name("\(number)"))
      try byInteger.register(Int.self, name: integer) { _ in number }
      try byText.register(Int.self, name: text) { _ in number }
      XCTAssertNil(try byInteger.resolveIfRegistered(Int.self, name: text))
      XCTAssertThrowsError(try byInteger.resolve(Int.self, name: text))
      XCTAssertThrowsError(try byText.resolve(Int.self, name: integer))
      XCTAssertEqual(try byInteger.resolve(Int.self, name: integer), number)
      XCTAssertEqual(try byText.resolve(Int.self, name: text), number)
    }
  }
}
