// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

private final class Database {}
private struct Settings {}

final class RegistrationErrorTests: ContainerTestCase {
  func testAlreadyRegisteredShowsBothPlaces() throws {
    try container.register(
      Database.self, name: "mysql", onDuplicate: .refuse, file: "App/Main.swift", line: 10
    ) { _ in Database() }
    XCTAssertThrowsError(
      try container.register(
        Database.self, name: "mysql", file: "Tests/Doubles.swift", line: 20
      ) { _ in Database() }
    ) { error in
      guard
        case RegistrationError.alreadyRegistered(let key, let existing, let refused, _) = error
      else { return XCTFail("\(error)") }
      XCTAssertEqual(key.description, "Database named \"mysql\"")
      XCTAssertEqual(existing.description, "App/Main.swift:10")
      XCTAssertEqual(refused.description, "Tests/Doubles.swift:20")
      assertGolden("already-registered", "\(error)")
    }
  }

  func testAlreadyRegisteredShowsArguments() throws {
    try container.register(Database.self, file: "App/Main.swift", line: 10) {
      (_, _: Int, _: String) in Database()
    }
    XCTAssertThrowsError(
      try container.register(Database.self, onDuplicate: .refuse, file: "App/Main.swift", line: 20)
      { (_, _: Int, _: String) in Database() }
    ) { assertGolden("already-registered-arguments", "\($0)") }
  }

  func testWeakIsRefusedAsAnArgumentAndKeptAsAFaultAsAModifier() throws {
    XCTAssertThrowsError(
      try container.register(Settings.self, scope: .weak, file: "App/Main.swift", line: 10) { _ in
        Settings()
      }
    ) { assertGolden("weak-refused", "\($0)") }
    let registration = try container.register(
      Settings.self, file: "App/Main.swift", line: 10
    ) { _ in Settings() }
    registration.as(.weak)
    XCTAssertThrowsError(try container.resolve(Settings.self)) {
      assertGolden("invalid-weak", "\($0)")
    }
  }

  func testAScopeIsRefusedWithArguments() throws {
    XCTAssertThrowsError(
      try container.register(
        Database.self, scope: .unchecked(.singleton), file: "App/Main.swift", line: 10
      ) { (_, _: Unequatable) in Database() }
    ) { assertGolden("scope-refused-with-arguments", "\($0)") }
    let registration = try container.register(
      Database.self, file: "App/Main.swift", line: 10
    ) { (_, _: Unequatable) in Database() }
    registration.as(.unchecked(.singleton))
    XCTAssertThrowsError(try container.resolve(Database.self, arguments: Unequatable())) {
      assertGolden("invalid-scope-with-arguments", "\($0)")
    }
  }
}

private struct Unequatable {}
