// SPDX-License-Identifier: MIT

import SwiftInjectionsDialect
import TestSupport
import XCTest

private final class Chair {
  let number: Int
  var other: Chair?

  init(_ number: Int) {
    self.number = number
  }
}

private final class Chairs: Assembly {
  let counts = Counts()

  func chair(_ key: String, before: (Definition) -> Void) -> Chair {
    return define(withKey: key) { definition in
      before(definition)
      return definition *~> self.counts.make(Chair(self.counts.inits.value))
    }
  }

  func settings(_ key: String, before: () -> Void) -> Settings {
    return define(withKey: key) { definition in
      before()
      return definition *~> Settings(self.counts.inits.value)
    }
  }
}

/// A definition that has found nothing under its key does not search again, as long as nothing is
/// published.
final class AbsenceTests: XCTestCase {
  private let chairs = Chairs.instance()

  private func inits(of body: () -> Void) -> Int {
    let before = chairs.counts.inits.value
    body()
    return chairs.counts.inits.value - before
  }

  func testABlockFindsWhatANestedAccessHasMadeBeforeItsObject() {
    let count = inits {
      var nested: Chair?
      let outer = chairs.chair("a") { _ in nested = chairs.chair("a") { _ in } }
      XCTAssertIdentical(outer, nested)
    }
    XCTAssertEqual(count, 1)
  }

  func testABlockFindsItAfterOtherKeysAndDeeperAccesses() {
    let count = inits {
      var nested: Chair?
      let outer = chairs.chair("a") { _ in
        _ = chairs.chair("b") { _ in
          _ = chairs.chair("c") { _ in nested = chairs.chair("a") { _ in } }
        }
      }
      XCTAssertIdentical(outer, nested)
    }
    XCTAssertEqual(count, 3)
  }

  func testABlockFindsWhatItsOwnDefinitionHasMade() {
    let count = inits {
      var first: Chair?
      let second = chairs.chair("a") { definition in
        first = definition.initObject(chairs.counts.make(Chair(0)))
      }
      XCTAssertIdentical(first, second)
    }
    XCTAssertEqual(count, 1)
  }

  func testOtherKeysLeaveTheKeyWithoutAnObject() {
    let count = inits {
      let outer = chairs.chair("a") { _ in _ = chairs.chair("b") { _ in } }
      XCTAssertNotNil(outer)
    }
    XCTAssertEqual(count, 2)
  }

  func testAnObjectOfAnotherTypeUnderTheKeyIsReplaced() {
    var inner: Settings?
    let outer = chairs.chair("a") { _ in
      inner = chairs.settings("a") {}
      XCTAssertIdentical(chairs.settings("a") {}, inner)
    }
    XCTAssertNotNil(inner)
    XCTAssertNotNil(outer)
    let number = inits { _ = chairs.settings("a") { _ = chairs.chair("a") { _ in } } }
    XCTAssertEqual(number, 1)
  }

  func testADefinitionOfAnEarlierGraphSearchesInItsOwn() {
    var kept: [Definition] = []
    let first = chairs.chair("a") { kept.append($0) }
    let count = inits {
      _ = chairs.chair("a") { _ in
        let object: Chair? = kept.first.map { $0 *~> chairs.counts.make(Chair(1)) }
        XCTAssertNotIdentical(object, first)
      }
    }
    XCTAssertEqual(count, 2)
  }
}
