// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

final class ArgumentTests: ContainerTestCase {
  func testOneTwoAndThreeArgumentsArePassedInOrder() throws {
    try container.register(String.self) { (_, one: Int) in "\(one)" }
    try container.register(String.self) { (_, one: Int, two: String) in "\(one) \(two)" }
    try container.register(String.self) { (_, one: Int, two: String, three: Role) in
      "\(one) \(two) \(three)"
    }
    XCTAssertEqual(try container.resolve(String.self, arguments: 1), "1")
    XCTAssertEqual(try container.resolve(String.self, arguments: 1, "two"), "1 two")
    XCTAssertEqual(
      try container.resolve(String.self, arguments: 1, "two", Role.admin), "1 two admin")
  }

  func testFourArgumentsArePassed() throws {
    try container.register([Int].self) { (_, a: Int, b: Int8, c: Int16, d: Int32) in
      [a, Int(b), Int(c), Int(d)]
    }
    let numbers = try container.resolve([Int].self, arguments: 1, Int8(2), Int16(3), Int32(4))
    XCTAssertEqual(numbers, [1, 2, 3, 4])
  }

  func testMoreArgumentsAreOneTuple() throws {
    try container.register([Int].self) { (_, all: (Int, Int8, Int16, Int32, Int64)) in
      [all.0, Int(all.1), Int(all.2), Int(all.3), Int(all.4)]
    }
    let numbers = try container.resolve(
      [Int].self, arguments: 1, Int8(2), Int16(3), Int32(4), Int64(5))
    XCTAssertEqual(numbers, [1, 2, 3, 4, 5])
  }

  func testTheFactoryWithArgumentsIsFoundOnlyWithArgumentsOfItsTypes() throws {
    try container.register(Int.self) { (_, one: Int, two: String) in one }
    XCTAssertThrowsError(try container.resolve(Int.self))
    XCTAssertThrowsError(try container.resolve(Int.self, arguments: 1))
    XCTAssertThrowsError(try container.resolve(Int.self, arguments: "two", 1))
    XCTAssertThrowsError(try container.resolve(Int.self, arguments: 1, "two", 3))
    XCTAssertThrowsError(try container.resolve(Int.self, arguments: 1, "two" as Substring))
  }

  func testAFactoryWithoutArgumentsIsNotFoundWithThem() throws {
    try container.register(Int.self) { _ in 1 }
    XCTAssertThrowsError(try container.resolve(Int.self, arguments: 1))
  }

  func testTheStaticTypeOfTheArgumentSelects() throws {
    try container.register(Int.self) { (_, shape: any Shape) in shape.area }
    XCTAssertThrowsError(try container.resolve(Int.self, arguments: Square(side: 2)))
    XCTAssertEqual(
      try container.resolve(Int.self, arguments: Square(side: 2) as any Shape), 4)
  }

  func testOptionalArgumentTypesAreTypesOfTheirOwn() throws {
    try container.register(Int.self) { (_, number: Int?) in number ?? -1 }
    XCTAssertEqual(try container.resolve(Int.self, arguments: nil as Int?), -1)
    XCTAssertEqual(try container.resolve(Int.self, arguments: 4 as Int?), 4)
    XCTAssertThrowsError(try container.resolve(Int.self, arguments: 4))
  }

  func testNamesAndArgumentsTogetherSelect() throws {
    try container.register(Int.self, name: "double") { (_, number: Int) in number * 2 }
    try container.register(Int.self, name: "triple") { (_, number: Int) in number * 3 }
    try container.register(Int.self) { (_, number: Int) in number }
    let stored: Name = "double"
    XCTAssertEqual(try container.resolve(Int.self, name: stored, arguments: 5), 10)
    XCTAssertEqual(try container.resolve(Int.self, name: "triple", arguments: 5), 15)
    XCTAssertEqual(try container.resolve(Int.self, arguments: 5), 5)
    XCTAssertThrowsError(try container.resolve(Int.self, name: "double"))
  }

  func testFunctionsObjectsAndTuplesAreArguments() throws {
    try container.register(Int.self) { (_, apply: @escaping (Int) -> Int, motor: Motor) in
      apply(motor.power)
    }
    let triple: (Int) -> Int = { $0 * 3 }
    XCTAssertEqual(try container.resolve(Int.self, arguments: triple, Motor(power: 5)), 15)
    try container.register(Int.self) { (_, pair: (left: Int, right: Int)) in
      pair.left - pair.right
    }
    XCTAssertEqual(try container.resolve(Int.self, arguments: (left: 5, right: 3)), 2)
  }

  func testAnArgumentIsReleasedAfterTheResolve() throws {
    try container.register(Int.self) { (_, motor: Motor) in motor.power }
    weak var weakMotor: Motor?
    do {
      let motor = Motor(power: 6)
      weakMotor = motor
      XCTAssertEqual(try container.resolve(Int.self, arguments: motor), 6)
    }
    XCTAssertNil(weakMotor)
  }

  func testArgumentsDoNotMixWithTheProductsOfTheSameTypes() throws {
    try container.register(Int.self) { (_, text: String) in text.count }
    try container.register(String.self) { (_, number: Int) in "\(number)" }
    XCTAssertEqual(try container.resolve(Int.self, arguments: "four"), 4)
    XCTAssertEqual(try container.resolve(String.self, arguments: 4), "4")
  }

  func testArgumentsThatAreNotHashableRefuseScopesThatKeepInstances() throws {
    for scope in [AnyScope.singleton, .weak, .graph, .scoped, .cached(for: .seconds(1))] {
      XCTAssertThrowsError(
        try container.register(Motor.self, scope: Scope(scope)) { (_, _: Int, _: Unequatable) in
          Motor(power: 1)
        }
      ) { error in
        guard case RegistrationError.scopeRefusesArguments(_, scope, _) = error else {
          return XCTFail("\(error)")
        }
      }
      XCTAssertFalse(container.contains(Motor.self, arguments: Int.self, Unequatable.self))
    }
  }

  func testAModifierThatIsWrongIsMendedByALaterOne() throws {
    let registration = try container.register(Motor.self) { (_, power: Unequatable) in
      Motor(power: power.value)
    }
    registration.as(.unchecked(.singleton))
    assertInvalid(.scopeRefusesArguments) {
      try container.resolve(Motor.self, arguments: Unequatable(value: 3))
    }
    registration.as(.transient)
    for power in [3, 4] {
      let motor = try container.resolve(Motor.self, arguments: Unequatable(value: power))
      XCTAssertEqual(motor.power, power)
    }
  }

  func testARecursionWithArgumentsThatEndsIsNotACycle() throws {
    try container.register(Int.self) { (resolver, number: Int) in
      number == 0 ? 0 : try resolver.resolve(Int.self, arguments: number - 1) + 1
    }
    XCTAssertEqual(try container.resolve(Int.self, arguments: 100), 100)
  }
}

private struct Unequatable {
  var value = 0
}
