// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

final class NameTests: XCTestCase {
  private struct Colliding: Hashable, Sendable {
    let value: Int

    func hash(into hasher: inout Hasher) {}
  }

  /// Its hash value is 0, the hash of no name.
  private struct Zero: Hashable, Sendable {
    func _rawHashValue(seed: Int) -> Int { 0 }
  }

  private func assertEqual(_ left: Name, _ right: Name, line: UInt = #line) {
    XCTAssertEqual(left, right, line: line)
    XCTAssertEqual(left.hashValue, right.hashValue, line: line)
    let container = Container()
    XCTAssertNoThrow(try container.register(Int.self, name: left) { _ in 1 }, line: line)
    XCTAssertEqual(try container.resolve(Int.self, name: right), 1, line: line)
  }

  private func assertDifferent(_ left: Name, _ right: Name, line: UInt = #line) {
    XCTAssertNotEqual(left, right, line: line)
    let container = Container()
    XCTAssertNoThrow(try container.register(Int.self, name: left) { _ in 1 }, line: line)
    XCTAssertThrowsError(try container.resolve(Int.self, name: right), line: line)
  }

  func testNamesAreEqualByText() {
    assertEqual("a", Name("a"))
    assertEqual("", Name(""))
    assertEqual("ab\(1)", "ab1")
    assertDifferent("a", "b")
    assertDifferent("a", "a ")
    assertDifferent("a", "A")
    assertDifferent("", " ")
    assertDifferent("", "\0")
    assertDifferent("a", "a\0")
    assertDifferent("a\0", "\0a")
  }

  func testTextsThatDifferInOnePlaceAreDifferent() {
    let text = Array("0123456789abcdefghijklmnop".utf8)
    for index in text.indices {
      var other = text
      other[index] ^= 1
      assertDifferent(
        Name(String(decoding: text, as: UTF8.self)), Name(String(decoding: other, as: UTF8.self)))
      assertDifferent(
        Name(String(decoding: text, as: UTF8.self)),
        Name(String(decoding: text[..<index], as: UTF8.self)))
    }
  }

  func testASubstringNamesWhatTheStringOfTheSameTextNames() {
    assertEqual("long enough to be on the heap", Name("long enough to be on the heap!".dropLast()))
    assertEqual("bc", Name("abcd".dropFirst().dropLast()))
    assertEqual("abc", Name(Optional("abc")))
  }

  func testCanonicallyEquivalentTextsAreEqual() {
    assertEqual("\u{E9}", "e\u{301}")
    assertEqual("caf\u{E9} on the corner of the street", "cafe\u{301} on the corner of the street")
    assertEqual("\u{212A}", "K")
    assertEqual("100 \u{212A} and more than fifteen", "100 K and more than fifteen")
    assertEqual("\u{212A}\u{301}", "K\u{301}")
    assertEqual("\u{37E}", ";")
    assertEqual("\u{1FEF}", "`")
    assertEqual("\u{212B}", "A\u{30A}")
    assertEqual("\u{1E9B}\u{323}", "\u{17F}\u{323}\u{307}")
    assertEqual("\u{AC00}", "\u{1100}\u{1161}")
    assertDifferent("\u{E9}", "e")
    assertDifferent("\u{FB01}", "fi")
  }

  func testEveryCharacterEquivalentToAnASCIIOneHashesLikeIt() {
    var equivalents = 0
    for value: UInt32 in 0x80...0x10FFFF {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let text = String(Character(scalar))
      guard text < "\u{80}" else { continue }
      for ascii in (0..<0x80).map({ String(Character(Unicode.Scalar($0))) }) where text == ascii {
        XCTAssertEqual(Name(text).hashValue, Name(ascii).hashValue, "U+\(String(value, radix: 16))")
        equivalents += 1
      }
    }
    XCTAssertGreaterThanOrEqual(equivalents, 3)
  }

  func testValuesAreEqualByValue() {
    assertEqual(Name(7), Name(7))
    assertEqual(Name(Role.guest(visits: 1)), Name(Role.guest(visits: 1)))
    assertDifferent(Name(7), Name(8))
    assertDifferent(Name(Role.admin), Name(Role.guest(visits: 1)))
    assertDifferent(Name(7), "7")
    assertDifferent(Name([7]), Name(7))
  }

  func testValuesWithEqualHashesAreDifferent() throws {
    assertEqual(Name(Colliding(value: 1)), Name(Colliding(value: 1)))
    XCTAssertEqual(
      Name(Colliding(value: 1)).hashValue, Name(Colliding(value: 2)).hashValue)
    assertDifferent(Name(Colliding(value: 1)), Name(Colliding(value: 2)))
    let container = Container()
    for value in 0..<50 {
      try container.register(Int.self, name: Name(Colliding(value: value))) { _ in value }
    }
    for value in 0..<50 {
      XCTAssertEqual(try container.resolve(Int.self, name: Name(Colliding(value: value))), value)
    }
    XCTAssertThrowsError(try container.resolve(Int.self, name: Name(Colliding(value: 50))))
  }

  func testValuesThatAnyHashableHoldsEqualAreEqual() {
    assertEqual(Name(7), Name(UInt8(7)))
    assertEqual(Name(0.0), Name(-0.0))
    assertEqual(Name(Optional(7)), Name(Optional(7)))
    assertDifferent(Name(Optional<Int>.none), Name(Optional(7)))
  }

  func testIntegersOfAllTypesAreEqualByValue() {
    let sevens: [Name] = [
      Name(7), Name(UInt(7)), Name(Int8(7)), Name(Int16(7)), Name(Int32(7)), Name(Int64(7)),
      Name(UInt8(7)), Name(UInt16(7)), Name(UInt32(7)), Name(UInt64(7)), Name(Optional(7)),
      Name(7.0), Name(Float(7)), Name(Name(7)),
    ]
    for left in sevens {
      for right in sevens { assertEqual(left, right) }
    }
    for (left, right) in [
      (Name(-7), Name(Int8(-7))), (Name(Int.min), Name(Int64.min)), (Name(-7), Name(-7.0)),
      (Name(UInt64.max), Name(UInt.max)), (Name(1 << 53), Name(Double(1 << 53))),
      (Name(UInt64.max - 2047), Name(Double(UInt64.max - 2047))),
    ] { assertEqual(left, right) }
  }

  func testIntegersAreDifferentFromAllThatIsNotEqual() {
    assertDifferent(Name(7), Name(-7))
    assertDifferent(Name(7), Name(7.5))
    assertDifferent(Name(UInt64.max), Name(-1))
    assertDifferent(Name(UInt8.max), Name(Int8(-1)))
    assertDifferent(Name(Int.max), Name(Int.min))
    assertDifferent(Name(-1), "-1")
    assertDifferent(Name(1), Name(true))
    assertDifferent(Name(UInt64(1) << 63), "9223372036854775808")
  }

  func testIntegersWithManyDigitsOutliveTheNamesThatTheyWereRegisteredUnder() throws {
    let container = Container()
    let numbers: [Int] = [.min, .max, 1 << 60, 123_456_789_012_345_678]
    for number in numbers { try container.register(Int.self, name: Name(number)) { _ in number } }
    for number in numbers {
      XCTAssertEqual(try container.resolve(Int.self, name: Name(number)), number)
      XCTAssertEqual(Name(number).description, "\(number)")
    }
  }

  /// Counts how often two of its kind are compared.
  private struct Compared: Hashable, Sendable {
    let comparisons: AtomicCounter

    static func == (left: Compared, right: Compared) -> Bool {
      left.comparisons.add()
      return left.comparisons === right.comparisons
    }

    func hash(into hasher: inout Hasher) {}
  }

  func testAValueIsNotComparedWhileOneNameIsUsed() throws {
    let comparisons = AtomicCounter()
    let name = Name(Compared(comparisons: comparisons))
    let container = Container()
    try container.register(Int.self, name: name) { _ in 1 }
    for _ in 0..<10 { XCTAssertEqual(try container.resolve(Int.self, name: name), 1) }
    XCTAssertEqual(name, name)
    XCTAssertEqual(comparisons.value, 0)
    XCTAssertEqual(
      try container.resolve(Int.self, name: Name(Compared(comparisons: comparisons))), 1)
    XCTAssertGreaterThan(comparisons.value, 0)
  }

  func testANameOfANameIsThatName() {
    let name: Name = "a"
    assertEqual(Name(name), "a")
    assertEqual(Name(Name(7)), Name(7))
  }

  func testANameIsNotTheAbsenceOfAName() throws {
    XCTAssertEqual(Zero().hashValue, 0)
    for name in [Name(Zero()), Name(0), Name(false), Name(Optional<Int>.none), "", "\0"] {
      let container = Container()
      try container.register(Int.self) { _ in 0 }
      XCTAssertThrowsError(try container.resolve(Int.self, name: name))
      try container.register(Int.self, name: name) { _ in 1 }
      XCTAssertEqual(try container.resolve(Int.self, name: name), 1)
      XCTAssertEqual(try container.resolve(Int.self), 0)
    }
  }

  func testHashesOfSimilarTextsAreSpread() {
    let hashes = Set((0..<100_000).map { Name("service-\($0)").hashValue })
    XCTAssertEqual(hashes.count, 100_000)
  }

  func testNamesAreDescribedAsMessagesShowThem() {
    XCTAssertEqual(Name("mysql").description, "\"mysql\"")
    XCTAssertEqual(Name(7).description, "7")
    XCTAssertEqual(Name("7").description, "\"7\"")
    XCTAssertEqual(Name(Role.guest(visits: 2)).description, "guest(visits: 2)")
  }

  func testNamesWorkInSets() {
    XCTAssertEqual(Set<Name>(["a", Name("a"), Name(1), Name(1), "1"]).count, 3)
  }
}
