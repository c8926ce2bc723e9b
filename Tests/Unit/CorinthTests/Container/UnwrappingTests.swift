// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

final class UnwrappingTests: ContainerTestCase {
  func testAnOptionalServesTheTypeThatItWraps() async throws {
    let container = Container(unwrapsOptionals: true)
    try container.register(Motor?.self) { _ in Motor() }.as(.unchecked(.singleton))
    let motor = try container.resolve(Motor.self)
    XCTAssertIdentical(try container.resolve(Motor?.self), motor)
    XCTAssertIdentical(try container.resolveIfRegistered(Motor.self), motor)
    let other = try await container.resolveAsync(Motor.self)
    XCTAssertIdentical(other, motor)
    XCTAssertThrowsError(try container.resolve(Turbine.self))
  }

  func testNilIsAnErrorThatSaysSo() throws {
    let container = Container(unwrapsOptionals: true)
    try container.register(Int?.self, file: "App/Main.swift", line: 7) { _ in nil }
    XCTAssertThrowsError(try container.resolve(Int.self)) { error in
      let inner = (error as? ResolutionError)?.underlyingError
      guard case InstanceError.nilInstance? = inner else { return XCTFail("\(error)") }
      assertGolden("nil-instance", "\(error)")
    }
  }

  func testTheOptionalItselfMayBeNil() throws {
    let container = Container(unwrapsOptionals: true)
    try container.register(Int?.self) { _ in nil }
    XCTAssertThrowsError(try container.resolve(Int.self))
    XCTAssertNil(try container.resolve(Int?.self))
  }

  func testAnExplicitRegistrationWins() throws {
    let container = Container(unwrapsOptionals: true)
    try container.register(Int?.self) { _ in 1 }
    XCTAssertEqual(try container.resolve(Int.self), 1)
    try container.register(Int.self) { _ in 2 }
    XCTAssertEqual(try container.resolve(Int.self), 2)
    container.unregister(Int.self)
    container.unregister(Int?.self)
    XCTAssertThrowsError(try container.resolve(Int.self))
  }

  func testOtherContainersAreStrict() throws {
    try container.register(Int?.self) { _ in 1 }
    XCTAssertThrowsError(try container.resolve(Int.self))
  }

  func testChildrenAndScopesInheritTheSetting() throws {
    let container = Container(unwrapsOptionals: true)
    try container.register(Int?.self, name: "a") { _ in 1 }
    XCTAssertEqual(try Container(parent: container).resolve(Int.self, name: "a"), 1)
    XCTAssertEqual(try container.makeScope().resolve(Int.self, name: "a"), 1)
  }
}
