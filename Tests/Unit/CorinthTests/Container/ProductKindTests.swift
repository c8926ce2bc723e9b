// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

private struct Empty: Equatable {}

private struct Large: Equatable {
  var numbers: (Int, Int, Int, Int, Int, Int, Int, Int) = (1, 2, 3, 4, 5, 6, 7, 8)
  var text = "large"
  var more = (9.0, 10.0, UInt8(11), Int16(12))

  static func == (left: Large, right: Large) -> Bool {
    "\(left)" == "\(right)"
  }
}

private struct Pair<First: Equatable & Sendable, Second: Equatable & Sendable>: Equatable {
  let first: First
  let second: Second
}

private actor Bank {
  nonisolated let name = "bank"
}

private final class Cell<Value: Sendable>: Sendable {
  let value: Value

  init(_ value: Value) {
    self.value = value
  }
}

/// Each kind of product in the scopes that serve it, resolved twice: the second singleton comes
/// from the box that the first one left.
final class ProductKindTests: XCTestCase {
  private func check<Product>(
    _ product: Product.Type, _ build: @autoclosure @escaping @Sendable () -> Product,
    line: UInt = #line, _ matches: (Product) -> Bool
  ) throws {
    let name = Name("named")
    for scope in [AnyScope.transient, .singleton] {
      let container = Container()
      try container.register(product, scope: scope) { _ in build() }
      try container.register(product, name: name, scope: scope) { _ in build() }
      try container.register(product) { (_, _: Int) in build() }
      for _ in 0..<2 {
        XCTAssertTrue(matches(try container.resolve(product)), "\(scope)", line: line)
        XCTAssertTrue(matches(try container.resolve(product, name: name)), line: line)
        XCTAssertTrue(matches(try container.resolve(product, arguments: 1)), line: line)
        XCTAssertTrue(try container.withResolved(product, matches), line: line)
        XCTAssertTrue(matches(try container.provider(for: product)()), line: line)
        let found = try XCTUnwrap(container.resolveIfRegistered(product), line: line)
        XCTAssertTrue(matches(found), line: line)
      }
    }
  }

  func testClasses() throws {
    try check(Motor.self, Motor(power: 3)) { $0.power == 3 }
    try check(Cell<Int>.self, Cell(4)) { $0.value == 4 }
  }

  func testActors() throws {
    try check(Bank.self, Bank()) { $0.name == "bank" }
  }

  func testStructsOfAllSizes() throws {
    try check(Empty.self, Empty()) { $0 == Empty() }
    try check(Square.self, Square(side: 3)) { $0.area == 9 }
    try check(Large.self, Large()) { $0 == Large() }
    try check(String.self, "a text that does not fit into two words") { $0.count == 39 }
    try check([Int].self, [1, 2, 3]) { $0 == [1, 2, 3] }
    try check(Void.self, ()) { $0 == () }
  }

  func testEnums() throws {
    try check(Role.self, .guest(visits: 4)) { $0 == .guest(visits: 4) }
    try check(Bool.self, true) { $0 }
    try check(Result<Int, FixtureError>.self, .failure(FixtureError("kept"))) {
      $0 == .failure(FixtureError("kept"))
    }
  }

  func testExistentials() throws {
    try check((any Engine).self, Motor(power: 3)) { $0.power == 3 }
    try check((any Shape).self, Square(side: 3)) { $0.area == 9 }
    try check((any Shape).self, Circle()) { $0.area == 3 }
    try check((any Shape & Sendable).self, Square(side: 3)) { $0.area == 9 }
    try check(Any.self, Large()) { $0 as? Large == Large() }
    try check(AnyObject.self, Motor()) { $0 is Motor }
    try check((any Error).self, FixtureError("kept")) { "\($0)" == "fixture failed: kept" }
    try check((any Collection<Int>).self, [1, 2]) { $0.count == 2 }
  }

  func testFunctions() throws {
    @Sendable func increment(_ number: Int) -> Int { number + 1 }
    @Sendable func fail() throws -> Int { throw FixtureError("called") }
    @Sendable func suspend() async -> Int { 1 }
    try check(((Int) -> Int).self, increment) { $0(1) == 2 }
    try check((@Sendable (Int) -> Int).self, increment) { $0(1) == 2 }
    try check((() throws -> Int).self, fail) { (try? $0()) == nil }
    try check((() async -> Int).self, suspend) { _ in true }
  }

  func testOptionals() throws {
    try check(Int?.self, 3) { $0 == 3 }
    try check(Int?.self, nil) { $0 == nil }
    try check(Motor?.self, nil) { $0 == nil }
    try check(Int??.self, .some(nil)) { $0 == .some(nil) }
    try check((any Shape)?.self, Square(side: 2)) { $0?.area == 4 }
  }

  func testTuples() throws {
    try check((Int, String).self, (1, "one")) { $0 == (1, "one") }
    try check((left: Int, right: Motor).self, (1, Motor(power: 2))) {
      $0.left == 1 && $0.right.power == 2
    }
  }

  func testMetatypes() throws {
    try check(Motor.Type.self, Turbine.self) { $0 == Turbine.self }
    try check(Int.Type.self, Int.self) { $0 == Int.self }
    try check((any Shape.Type).self, Square.self) { $0 == Square.self }
    try check(Any.Type.self, Int.self) { $0 == Int.self }
  }

  func testGenericTypesOfDifferentParametersAreDifferentKeys() throws {
    try check(Pair<Int, String>.self, Pair(first: 1, second: "a")) {
      $0 == Pair(first: 1, second: "a")
    }
    let container = Container()
    try container.register(Cell<Int>.self) { _ in Cell(1) }
    try container.register(Cell<String>.self) { _ in Cell("one") }
    XCTAssertEqual(try container.resolve(Cell<Int>.self).value, 1)
    XCTAssertEqual(try container.resolve(Cell<String>.self).value, "one")
    XCTAssertThrowsError(try container.resolve(Cell<Bool>.self))
  }

  func testTupleLabelsFunctionAttributesAndOptionalsMakeDifferentKeys() throws {
    let container = Container()
    try container.register((Int, Int).self) { _ in (1, 1) }
    try container.register((a: Int, b: Int).self) { _ in (2, 2) }
    try container.register((() -> Int).self) { _ in { 3 } }
    try container.register((() throws -> Int).self) { _ in { 4 } }
    try container.register(Int.self) { _ in 5 }
    try container.register(Int?.self) { _ in 6 }
    try container.register(Int.Type.self) { _ in Int.self }
    XCTAssertEqual(try container.resolve((Int, Int).self).0, 1)
    XCTAssertEqual(try container.resolve((a: Int, b: Int).self).a, 2)
    XCTAssertEqual(try container.resolve((() -> Int).self)(), 3)
    XCTAssertEqual(try container.resolve((() throws -> Int).self)(), 4)
    XCTAssertEqual(try container.resolve(Int.self), 5)
    XCTAssertEqual(try container.resolve(Int?.self), 6)
  }
}
