// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

private final class User: Sendable {
  let id: Int
  let log: Log
  let name: String
  let mail: (any Mail)?

  init(id: Int, log: Log, name: String, mail: (any Mail)?) {
    (self.id, self.log, self.name, self.mail) = (id, log, name, mail)
  }
}

final class WiringWithArgumentsTests: ContainerTestCase {
  private func registerUser() throws {
    try container.register(Log.self) { _ in Log() }.as(.singleton)
    try container.register(String.self) { _ in "registered" }
  }

  func testAParameterTakesTheNextArgumentOfItsType() throws {
    try registerUser()
    try container.wire(User.self, arguments: Int.self, String.self, using: User.init)
    let user = try container.resolve(User.self, arguments: 7, "Ada")
    XCTAssertEqual(user.id, 7)
    XCTAssertEqual(user.name, "Ada")
    XCTAssertTrue(user.log === (try container.resolve(Log.self)))
    XCTAssertNil(user.mail)
  }

  func testOtherParametersAreResolved() throws {
    try registerUser()
    try container.wire(User.self, arguments: Int.self, using: User.init)
    XCTAssertEqual(try container.resolve(User.self, arguments: 7).name, "registered")
  }

  func testTwoArgumentsOfOneTypeAreTakenInOrder() throws {
    struct Range: Equatable {
      let lower: Int
      let name: String
      let upper: Int
    }
    try container.register(value: "x")
    try container.wire(Range.self, arguments: Int.self, Int.self, using: Range.init)
    XCTAssertEqual(
      try container.resolve(Range.self, arguments: 1, 2), Range(lower: 1, name: "x", upper: 2))
  }

  func testAnArgumentMayBeAProtocolOrAnOptional() throws {
    try registerUser()
    try container.wire(
      User.self, arguments: Int.self, (any Mail)?.self, using: User.init)
    let mail: any Mail = SMTP(log: Log(), host: "argument")
    let with = try container.resolve(User.self, arguments: 1, Optional(mail))
    let without = try container.resolve(User.self, arguments: 1, (any Mail)?.none)
    XCTAssertEqual(with.mail?.host, "argument")
    XCTAssertNil(without.mail)
  }

  func testASharedScopeStoresAnInstanceForEachValue() throws {
    try registerUser()
    try container.wire(
      User.self, arguments: Int.self, scope: .singleton, using: User.init)
    let first = try container.resolve(User.self, arguments: 1)
    XCTAssertTrue(first === (try container.resolve(User.self, arguments: 1)))
    XCTAssertFalse(first === (try container.resolve(User.self, arguments: 2)))
  }

  func testAnArgumentThatNoParameterTakesIsRefused() throws {
    XCTAssertThrowsError(
      try container.wire(
        User.self, arguments: String.self, Int.self, using: User.init, file: "App/Main.swift",
        line: 10)
    ) { error in
      XCTAssertTrue(error.is(.argumentNotTaken))
      assertGolden("argument-not-taken", "\(error)")
    }
    XCTAssertFalse(container.contains(User.self, arguments: String.self, Int.self))
  }
}
