// SPDX-License-Identifier: MIT

import Corinth
import TestSupport
import XCTest

final class ErasedNameTests: ContainerTestCase {
  func testANameOfAnErasedValueEqualsThatOfTheValue() {
    let pairs: [(AnyHashable, Name)] = [
      ("mysql", "mysql"), (7, Name(7)), (UInt8(7), Name(7)), (Role.admin, Name(Role.admin)),
      (Role.guest(visits: 2), Name(Role.guest(visits: 2))), (Name("a"), "a"), (2.5, Name(2.5)),
      (Substring("ab"), "ab"),
    ]
    for (erased, name) in pairs {
      XCTAssertEqual(Name(erased), name)
      XCTAssertEqual(Name(erased).hashValue, name.hashValue)
      XCTAssertEqual(Name(erased).description, name.description)
    }
    XCTAssertNotEqual(Name(AnyHashable("7")), Name(7))
  }

  func testARegistrationIsFoundByTheErasedName() throws {
    try container.register(Int.self, name: Name(Role.admin)) { _ in 1 }
    let erased: AnyHashable = Role.admin
    XCTAssertEqual(try container.resolve(Int.self, name: Name(erased)), 1)
  }

  func testANameSaysWhatItIsMadeOf() {
    let bases: [AnyHashable] = [
      "mysql", "", "Straße", String(repeating: "long", count: 9), 7, -1, UInt64.max, Int8(3), 2.5,
      Role.admin, Role.guest(visits: 2), [1, 2],
    ]
    for base in bases {
      XCTAssertEqual(Name(base).base, base)
    }
    XCTAssertEqual(Name("mysql").base, "mysql")
    XCTAssertEqual(Name(Name("mysql")).base, "mysql")
    XCTAssertEqual(Name(Substring("ab")).base, "ab")
    XCTAssertNotEqual(Name(7).base, "7")
  }
}
