// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

final class ResolveIfRegisteredTests: ContainerTestCase {
  func testNothingRegisteredIsNil() throws {
    XCTAssertNil(try container.resolveIfRegistered(Int.self))
    XCTAssertNil(try container.resolveIfRegistered(Int.self, name: "a"))
    try container.register(Int.self) { _ in 1 }
    XCTAssertNil(try container.resolveIfRegistered(Int.self, name: "a"))
  }

  func testARegistrationOfAnyScopeIsResolved() throws {
    for scope in [AnyScope.transient, .singleton, .weak] {
      try container.register(Motor.self, scope: scope) { _ in Motor(power: 5) }
      XCTAssertEqual(try container.resolveIfRegistered(Motor.self)?.power, 5)
      XCTAssertEqual(try container.resolveIfRegistered(Motor.self)?.power, 5)
    }
  }

  func testTheProductIsInferred() throws {
    try container.register(Int.self, name: "a") { _ in 1 }
    let number: Int? = try container.resolveIfRegistered(name: "a")
    XCTAssertEqual(number, 1)
  }

  func testAMissingDependencyIsAnErrorInEachScope() throws {
    for scope in [AnyScope.transient, .singleton, .weak] {
      try container.register(Motor.self, scope: scope) { resolver in
        Motor(power: try resolver.resolve(Int.self))
      }
      XCTAssertThrowsError(try container.resolveIfRegistered(Motor.self)) { error in
        guard case ResolutionError.noRegistrationFound(let context) = error else {
          return XCTFail("\(error)")
        }
        XCTAssertEqual(context.path.map(\.description), ["Motor", "Int"])
      }
    }
  }

  func testAFactoryThatThrowsIsAnError() throws {
    try container.register(Int.self) { _ in throw FixtureError("no number") }
    XCTAssertThrowsError(try container.resolveIfRegistered(Int.self))
  }

  func testAnOptionalProductThatIsNilIsNotMissing() throws {
    try container.register(Int?.self) { _ in nil }
    let number: Int?? = try container.resolveIfRegistered(Int?.self)
    XCTAssertEqual(number, .some(nil))
  }
}
