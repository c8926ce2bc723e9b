// SPDX-License-Identifier: MIT

import SwiftInjectionsDialect
import TestSupport
import XCTest

private class First: Assembly {
  lazy var second = Second.instance()
  static let inits = AtomicCounter()

  required init() {
    Self.inits.add()
    super.init()
  }
}

private final class Heir: First {}

private class Second: Assembly {
  lazy var first = First.instance()
}

private class Raced: Assembly {
  static let inits = AtomicCounter()

  required init() {
    Self.inits.add()
    super.init()
  }
}

/// Its initializer uses a definition of another one.
private class Eager: Assembly {
  let settings: Settings

  required init() {
    settings = Values.instance().settings
    super.init()
  }
}

private class Values: Assembly {
  var settings: Settings { return define { definition in definition *~> Settings() } }

  var both: (Settings, Settings) {
    return define(withKey: "both") { _ in
      let settings = self.settings
      return (settings, Eager.instance().settings)
    }
  }
}

/// Names that the library itself, or what is behind it, has for something else.
private struct Container {}
private struct Resolution {}

private class Names: Assembly {
  var singletons = 7
  var container = Container()

  func singleton(_ key: String) -> Resolution { Resolution() }
  func lock(for key: String) -> Int { singletons }
  func defined(_ key: String) -> Settings { define(withKey: key) { $0 *~> Settings(3) } }
}

final class AssemblyTests: XCTestCase {
  func testAnAssemblyMayUseAnyNames() {
    let names = Names.instance()
    XCTAssertEqual(names.lock(for: ""), 7)
    XCTAssertEqual(names.defined("x").number, 3)
  }

  func testThereIsOneInstanceOfEachClass() {
    XCTAssertIdentical(First.instance(), First.instance())
    XCTAssertNotIdentical(First.instance() as Assembly, Second.instance() as Assembly)
  }

  func testASubclassHasAnInstanceOfItsOwn() {
    let heir: Heir = Heir.instance()
    XCTAssertNotIdentical(heir, First.instance())
    XCTAssertTrue(type(of: First.instance()) == First.self)
    let type: First.Type = Heir.self
    XCTAssertIdentical(type.instance(), heir)
  }

  func testTwoMayReferToEachOtherLazily() {
    XCTAssertIdentical(First.instance().second.first, First.instance())
    XCTAssertIdentical(Second.instance().first.second, Second.instance())
  }

  func testAnAssemblyOfOnesOwnIsAnotherOne() {
    XCTAssertNotIdentical(First(), First.instance())
  }

  func testAnInitializerOfAnAssemblyIsAPartOfTheGraphAroundIt() {
    let (settings, eager) = Values.instance().both
    XCTAssertIdentical(settings, eager)
  }

  func testThreadsGetOneInstance() throws {
    let found = try onThreads(8) { _ in ObjectIdentifier(Raced.instance()) }
    XCTAssertEqual(Set(found).count, 1)
    XCTAssertEqual(Raced.inits.value, 1)
  }
}
