// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

final class ResolveIfRegisteredArgumentTests: ContainerTestCase {
  func testAMissingFactoryWithArgumentsIsNil() async throws {
    try container.register(Motor.self) { _ in Motor() }
    XCTAssertNil(try container.resolveIfRegistered(Motor.self, arguments: 1))
    let motor = try await container.resolveAsyncIfRegistered(Motor.self, arguments: 1)
    XCTAssertNil(motor)
  }

  func testAFactoryWithArgumentsIsCalledWithThem() async throws {
    try container.register(Motor.self, name: "a") { (_, power: Int) in Motor(power: power) }
    let motor = try container.resolveIfRegistered(Motor.self, name: "a", arguments: 3)
    XCTAssertEqual(motor?.power, 3)
    let other = try await container.resolveAsyncIfRegistered(Motor.self, name: "a", arguments: 4)
    XCTAssertEqual(other?.power, 4)
    XCTAssertNil(try container.resolveIfRegistered(Motor.self, name: "b", arguments: 3))
  }

  func testAResolverLooksFactoriesWithArgumentsUpToo() async throws {
    try container.register(Motor.self) { (_, power: Int, factor: Int) in
      Motor(power: power * factor)
    }
    try container.register(Int.self) { resolver in
      let missing = try resolver.resolveIfRegistered(Motor.self, arguments: "a")
      let motor = try resolver.resolveIfRegistered(Motor.self, arguments: 2, 5)
      return missing == nil ? motor?.power ?? 0 : -1
    }
    try container.registerAsync(String.self) { resolver in
      let missing = try await resolver.resolveAsyncIfRegistered(Motor.self, arguments: "a")
      let motor = try await resolver.resolveAsyncIfRegistered(Motor.self, arguments: 2, 6)
      return "\(missing == nil) \(motor?.power ?? 0)"
    }
    XCTAssertEqual(try container.resolve(Int.self), 10)
    let text = try await container.resolveAsync(String.self)
    XCTAssertEqual(text, "true 12")
  }

  func testAMissingDependencyIsAnError() throws {
    try container.register(Motor.self) { (resolver, _: Int) in
      Motor(power: try resolver.resolve(Int.self))
    }
    XCTAssertThrowsError(try container.resolveIfRegistered(Motor.self, arguments: 1)) {
      XCTAssertTrue($0.is(.noRegistrationFound))
    }
  }

  func testAFactoryOfAParentIsFound() throws {
    try container.register(Motor.self) { (_, power: Int) in Motor(power: power) }
    try container.register(Motor.self) { _ in Motor(power: 9) }
    let child = Container(parent: container)
    XCTAssertEqual(try child.resolveIfRegistered(Motor.self, arguments: 3)?.power, 3)
    XCTAssertEqual(try child.resolveIfRegistered(Motor.self)?.power, 9)
    XCTAssertNil(try child.resolveIfRegistered(Motor.self, name: "a"))
  }

  func testAKeyThatWasRemovedIsNilAndFoundInTheParentInstead() throws {
    try container.register(Motor.self) { _ in Motor(power: 9) }
    let child = Container(parent: container)
    try child.register(Motor.self) { _ in Motor(power: 1) }
    child.unregister(Motor.self)
    XCTAssertEqual(try child.resolveIfRegistered(Motor.self)?.power, 9)
    container.unregister(Motor.self)
    XCTAssertNil(try child.resolveIfRegistered(Motor.self))
    XCTAssertNil(try container.resolveIfRegistered(Motor.self))
  }

  func testAClosedContainerIsAnErrorNotNil() async throws {
    let scope = container.makeScope()
    try await scope.close()
    XCTAssertThrowsError(try scope.resolveIfRegistered(Motor.self)) {
      XCTAssertTrue($0.is(.containerClosed))
    }
    XCTAssertThrowsError(try scope.resolveIfRegistered(Motor.self, arguments: 1)) {
      XCTAssertTrue($0.is(.containerClosed))
    }
  }
}
