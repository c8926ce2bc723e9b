// SPDX-License-Identifier: MIT

import Corinth
import CorinthConfiguration
import XCTest

private enum Mode: String, Decodable { case quiet }

/// What values are read as.
final class PropertyValueTests: XCTestCase {
  private let container = Container()

  private func register(_ text: String, in container: Container? = nil) throws {
    try (container ?? self.container).register(resource: .json(text, named: "app.json"))
  }

  private func register(variables: [String: String]) throws {
    try container.register(resource: .environment(prefix: "E_", variables: variables))
  }

  private func assertMistyped<Value: Decodable>(
    _ name: String, as type: Value.Type, _ text: String, line: UInt = #line
  ) {
    XCTAssertThrowsError(try container.property(name, as: type), line: line) { error in
      XCTAssertEqual((error as? ConfigurationError)?.kind, .mistyped, "\(error)", line: line)
      XCTAssertTrue("\(error)".contains(text), "\(error)", line: line)
    }
  }

  func testTheLargestIntegersAreExact() throws {
    try register(#"{"most": 18446744073709551615, "odd": 9223372036854775809, "low": -1}"#)
    try register(variables: ["E_TEXT": "18446744073709551615"])
    XCTAssertEqual(try container.property("most", as: UInt64.self), .max)
    XCTAssertEqual(try container.property("text", as: UInt64.self), .max)
    XCTAssertEqual(try container.property("odd", as: UInt64.self), 1 << 63 + 1)
    XCTAssertEqual(try container.property("odd", as: Double.self), 0x1p63)
    assertMistyped("odd", as: Int64.self, "an integer")
    assertMistyped("low", as: UInt64.self, "an integer")
  }

  func testATextIsWhatItSaysInJSON() throws {
    try register(
      variables: ["E_ONE": "1", "E_EXP": "1e3", "E_EMPTY": "", "E_NULL": "null", "E_TWO": "1,2"])
    XCTAssertEqual(try container.property("one", as: Int.self), 1)
    XCTAssertEqual(try container.property("one", as: Double?.self), 1)
    XCTAssertEqual(try container.property("one", as: String?.self), "1")
    XCTAssertEqual(try container.property("exp", as: Int.self), 1000)
    XCTAssertEqual(try container.property("empty", as: String.self), "")
    assertMistyped("one", as: Bool.self, "a text")
    for name in ["empty", "null", "two"] { assertMistyped(name, as: Int?.self, "a text") }
  }

  func testATextThatATypeRefusesIsNotReadAsANumber() throws {
    try register(variables: ["E_MODE": "2"])
    assertMistyped("mode", as: Mode.self, "must be Mode, and is a text that stands for none")
  }

  func testAStringIsNoNumber() throws {
    try register(#"{"infinite": "inf", "none": "nan"}"#)
    for name in ["infinite", "none"] { assertMistyped(name, as: Double.self, "a string") }
  }

  func testAValueHidesASectionOfAParent() throws {
    let child = Container(parent: container)
    for number in 0..<20 {
      try register(#"{"a": {"b\#(number)": 1}}"#, in: child)
      try register(#"{"a": {"b\#(number)": {"c": 2, "d": 3}}}"#)
    }
    XCTAssertEqual(
      try child.property("a", as: [String: Int].self),
      Dictionary(uniqueKeysWithValues: (0..<20).map { ("b\($0)", 1) }))
  }

  func testOfPropertiesThatAVariableStandsForItIsTheFirst() throws {
    for number in 0..<20 {
      try register(#"{"a-b\#(number)": 0, "a_b\#(number)": 0, "a": {"b\#(number)": 0}}"#)
    }
    try register(
      variables: Dictionary(uniqueKeysWithValues: (0..<20).map { ("E_A_B\($0)", "1") }))
    for number in 0..<20 {
      XCTAssertEqual(try container.property("a-b\(number)", as: Int.self), 1)
      XCTAssertEqual(try container.property("a_b\(number)", as: Int.self), 0)
      XCTAssertEqual(try container.property("a.b\(number)", as: Int.self), 0)
    }
  }

  func testAKeyThatJoinsTheDotBeforeItIsRefused() throws {
    XCTAssertThrowsError(try register("{\"a\": {\"\u{301}x\": 1}}")) { error in
      XCTAssertEqual((error as? ConfigurationError)?.kind, .conflicting, "\(error)")
    }
    try register("{\"e\u{301}\": {\"\u{e9}\": 3}}")
    XCTAssertEqual(try container.property("\u{e9}.e\u{301}", as: Int.self), 3)
  }

  func testAVariableWithoutAKeyIsNamed() {
    XCTAssertThrowsError(try register(variables: ["E_A__B": "1"])) { error in
      XCTAssertTrue("\(error)".contains("E_A__B stands for the property a..b"), "\(error)")
      XCTAssertTrue("\(error)".contains("an empty key"), "\(error)")
    }
  }
}
