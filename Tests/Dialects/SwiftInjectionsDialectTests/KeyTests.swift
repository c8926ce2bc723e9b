// SPDX-License-Identifier: MIT

import SwiftInjectionsDialect
import TestSupport
import XCTest

private class Keys: Assembly {
  var numbers: [Settings] {
    return define { definition in
      return definition *~> [self.first, self.second, self.first]
    }
  }

  var first: Settings {
    return define(withKey: "first") { definition in definition *~> Settings(1) }
  }

  var second: Settings {
    return define(withKey: "second") { definition in definition *~> Settings(2) }
  }

  var withoutKeys: [Settings] {
    return define { definition in
      return definition *~> [self.one, self.two]
    }
  }

  var one: Settings { return define { definition in definition *~> Settings(1) } }
  var two: Settings { return define { definition in definition *~> Settings(2) } }

  /// Three types, one key.
  var mixed: (Settings, Router, Settings) {
    return define(withKey: "mixed") { _ in (self.settingsX, self.routerX, self.settingsX) }
  }

  var settingsX: Settings {
    return define(withKey: "x") { definition in definition *~> Settings(1) }
  }

  var routerX: Router {
    return define(withKey: "x") { definition in definition *~> Router() }
  }

  var namedByType: (Settings, Settings?) {
    return define(withKey: "outer") { _ in (self.one, self.existingObject(withKey: "Settings")) }
  }

  var ofNoSuchKey: (Settings?, Router?, Settings?) {
    return define(withKey: "outer") { _ in
      _ = self.one
      return (
        self.existingObject(withKey: "none"), self.existingObjectByMatchingType(),
        self.existingObjectByMatchingType()
      )
    }
  }

  var ofAnotherType: Router? {
    return define(withKey: "outer") { _ in
      _ = self.one
      return self.existingObject(withKey: "Settings")
    }
  }

  var theme: Theme {
    return define { definition in definition *~> Theme.dark }
  }

  var themes: [Theme?] {
    return define { definition in
      return definition *~> [self.theme, self.existingObjectByMatchingType()]
    }
  }

  var missing: Settings? {
    return define { definition in definition *~> nil }
  }

  var absent: [Settings?] {
    return define { definition in definition *~> [self.missing, self.missing] }
  }

  var optional: Settings? {
    return define { definition in definition *~> Settings(3) }
  }

  var optionals: [Settings?] {
    return define { definition in definition *~> [self.optional, self.optional] }
  }

  func settings(_ number: Int) -> Settings {
    return define(withKey: "settings \(number)") { definition in definition *~> Settings(number) }
  }

  var parameterized: [Settings] {
    return define { definition in
      definition *~> [self.settings(1), self.settings(2), self.settings(1)]
    }
  }
}

final class KeyTests: XCTestCase {
  @PerTest private var keys = Keys.instance()

  func testKeysTellObjectsOfOneTypeApart() {
    let numbers = keys.numbers
    XCTAssertEqual(numbers.map(\.number), [1, 2, 1])
    XCTAssertIdentical(numbers[0], numbers[2])
  }

  func testWithoutKeysTwoDefinitionsOfOneTypeAreOneObject() {
    XCTAssertEqual(keys.withoutKeys.map(\.number), [1, 1])
  }

  func testAnObjectOfAnotherTypeUnderTheKeyIsNoneAndIsReplaced() {
    let (first, _, second) = keys.mixed
    XCTAssertNotIdentical(first, second)
  }

  func testTheKeyOfADefinitionWithoutOneIsTheNameOfItsType() {
    let (made, found) = keys.namedByType
    XCTAssertIdentical(made, found)
  }

  func testAnExistingObjectIsNilForAnUnknownKeyOrType() {
    let (byKey, byOtherType, byType) = keys.ofNoSuchKey
    XCTAssertNil(byKey)
    XCTAssertNil(byOtherType)
    XCTAssertNotNil(byType)
  }

  func testAnExistingObjectIsNilIfItIsOfAnotherType() {
    XCTAssertNil(keys.ofAnotherType)
  }

  func testOutsideOfAGraphNoObjectExists() {
    _ = keys.one
    XCTAssertNil(keys.existingObjectByMatchingType() as Settings?)
    XCTAssertNil(keys.existingObject(withKey: "Settings") as Settings?)
  }

  func testAValueIsDefinedAsAnObjectIs() {
    XCTAssertEqual(keys.theme, .dark)
    XCTAssertEqual(keys.themes, [.dark, .dark])
  }

  func testAnOptionalIsDefinedWithAndWithoutAnObject() {
    XCTAssertEqual(keys.absent.map { $0 == nil }, [true, true])
    let optionals = keys.optionals
    XCTAssertEqual(optionals.map { $0?.number }, [3, 3])
    XCTAssertIdentical(optionals[0], optionals[1])
  }

  func testAFunctionWithParametersMayMakeItsKeyOfThem() {
    let made = keys.parameterized
    XCTAssertEqual(made.map(\.number), [1, 2, 1])
    XCTAssertIdentical(made[0], made[2])
  }
}
