// SPDX-License-Identifier: MIT

import XCTest

@testable import Corinth

/// What all resolves of the process look at goes back with the containers that it is for: one test,
/// or one tenant, does not change the steps of the others for good.
final class ProcessFlagsTests: XCTestCase {
  func testDecoratorsAndBehaviorsAreCountedWhileTheirContainersAreAlive() throws {
    let before = Composition.users
    do {
      let container = Container()
      try container.register(Int.self) { _ in 1 }
      try container.decorate(Int.self) { value, _ in value + 1 }
      try container.decorate(String.self) { value, _ in value }
      XCTAssertEqual(Composition.users, before + 1)
      XCTAssertEqual(try container.resolve(Int.self), 2)
      let child = Container(parent: container)
      try child.register(Int.self) { _ in 2 }
      try child.decorate(Int.self) { value, _ in value * 10 }
      XCTAssertEqual(Composition.users, before + 2)
      XCTAssertEqual(try child.resolve(Int.self), 30)
    }
    XCTAssertEqual(Composition.users, before)
  }

  func testTreesThatTellFactoriesWhoAsksAreCountedWhileTheyAreAlive() throws {
    let before = RequesterTracking.users
    do {
      let container = Container()
      let child = Container(parent: container)
      for name in ["a", "b"] as [Name] {
        try child.registerPerRequester(String.self, name: name) { _, requester in
          requester.map { "\($0)" } ?? "root"
        }
      }
      XCTAssertEqual(RequesterTracking.users, before + 1)
      XCTAssertEqual(try child.resolve(String.self, name: "a"), "root")
    }
    XCTAssertEqual(RequesterTracking.users, before)
  }
}
