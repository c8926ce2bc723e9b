// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

final class RegisterTests: ContainerTestCase {
  func testTheLastRegistrationOfAKeyWins() throws {
    try container.register(Int.self) { _ in 1 }
    try container.register(Int.self) { _ in 2 }
    XCTAssertEqual(try container.resolve(Int.self), 2)
  }

  func testOverridingATransientBySingletonAndBackChangesTheScope() throws {
    try container.register(Motor.self) { _ in Motor() }
    XCTAssertFalse(try container.resolve(Motor.self) === container.resolve(Motor.self))
    try container.register(Motor.self) { _ in Motor() }.as(.unchecked(.singleton))
    XCTAssertTrue(try container.resolve(Motor.self) === container.resolve(Motor.self))
    try container.register(Motor.self) { _ in Motor() }
    XCTAssertFalse(try container.resolve(Motor.self) === container.resolve(Motor.self))
  }

  func testOverridingAReadySingletonBuildsTheNewOne() throws {
    try container.register(Motor.self) { _ in Motor(power: 1) }.as(.unchecked(.singleton))
    XCTAssertEqual(try container.resolve(Motor.self).power, 1)
    try container.register(Motor.self) { _ in Motor(power: 2) }.as(.unchecked(.singleton))
    XCTAssertEqual(try container.resolve(Motor.self).power, 2)
  }

  func testAnOverrideOfOneKeyLeavesOthersAlone() throws {
    try container.register(Int.self) { _ in 1 }
    try container.register(Int.self, name: "other") { _ in 2 }
    try container.register(Int.self) { (_, addend: Int) in addend }
    try container.register(Int.self) { _ in 10 }
    XCTAssertEqual(try container.resolve(Int.self), 10)
    XCTAssertEqual(try container.resolve(Int.self, name: "other"), 2)
    XCTAssertEqual(try container.resolve(Int.self, arguments: 5), 5)
  }

  func testANonOverridableRegistrationRefusesOnEitherSide() throws {
    for existing in [true, false] {
      for new in [true, false] {
        let container = Container()
        try container.register(Int.self, onDuplicate: existing ? nil : .refuse) { _ in 1 }
        let override = {
          try container.register(Int.self, onDuplicate: new ? nil : .refuse) { _ in 2 }
        }
        if existing && new {
          XCTAssertNoThrow(try override())
          XCTAssertEqual(try container.resolve(Int.self), 2)
        } else {
          XCTAssertThrowsError(try override()) { error in
            guard case RegistrationError.alreadyRegistered = error else {
              return XCTFail("\(error)")
            }
          }
          XCTAssertEqual(try container.resolve(Int.self), 1)
        }
      }
    }
  }

  func testARefusedRegistrationLeavesAReadySingletonInPlace() throws {
    try container.register(Motor.self, scope: .unchecked(.singleton), onDuplicate: .refuse) { _ in
      Motor()
    }
    let motor = try container.resolve(Motor.self)
    XCTAssertThrowsError(try container.register(Motor.self) { _ in Motor() })
    XCTAssertTrue(try container.resolve(Motor.self) === motor)
  }

  func testTheFirstRegistrationMayBeNonOverridable() throws {
    XCTAssertNoThrow(try container.register(Int.self, onDuplicate: .refuse) { _ in 1 })
  }

  func testANonOverridableRegistrationMayBeUnregisteredAndRegisteredAgain() throws {
    try container.register(Int.self, onDuplicate: .refuse) { _ in 1 }
    XCTAssertTrue(container.unregister(Int.self))
    try container.register(Int.self, onDuplicate: .refuse) { _ in 2 }
    XCTAssertEqual(try container.resolve(Int.self), 2)
  }

  func testANonOverridableNameLeavesOtherNamesFree() throws {
    try container.register(Int.self, name: "a", onDuplicate: .refuse) { _ in 1 }
    try container.register(Int.self, name: "b") { _ in 2 }
    try container.register(Int.self) { _ in 3 }
    XCTAssertThrowsError(try container.register(Int.self, name: "a") { _ in 4 })
    XCTAssertEqual(try container.resolve(Int.self, name: "a"), 1)
  }

  func testContainersDoNotShareRegistrations() throws {
    try container.register(Int.self) { _ in 1 }
    XCTAssertFalse(Container().contains(Int.self))
  }

  func testARegistrationTellsItsContainerKeyAndPlace() throws {
    let registration = try container.register(
      Int.self, name: "a", file: "App/Main.swift", line: 7
    ) { _ in 1 }
    XCTAssertTrue(registration.container === container)
    XCTAssertTrue(registration.key.product == Int.self)
    XCTAssertEqual(registration.key.name, "a")
    XCTAssertNil(registration.key.arguments)
    XCTAssertEqual(registration.location.description, "App/Main.swift:7")
  }

  func testTheDefaultPlaceIsThatOfTheCall() throws {
    let registration = try container.register(Int.self) { _ in 1 }
    XCTAssertEqual(registration.location.file, #fileID)
    XCTAssertEqual(registration.location.line, #line - 2)
  }
}
