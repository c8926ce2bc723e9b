// SPDX-License-Identifier: MIT

import SwiftInjectionsDialect
import TestSupport
import XCTest

private class Screens: Assembly {
  lazy var routers = Routers.instance()
  let counts = Counts()

  var screen: Screen {
    return define { (definition) in
      self.counts.blocks.add()
      let screen = definition *~> self.counts.make(MainScreen())
      screen.router = self.routers.router
      return screen
    }
  }

  var twoRouters: [Router] {
    return define { definition in
      return definition *~> [self.routers.router, self.routers.router]
    }
  }

  var prototypes: [MainScreen] {
    return define { definition in
      return definition *~> [self.prototype, self.prototype]
    }
  }

  var prototype: MainScreen {
    return define(withScope: .Prototype) { definition in
      self.counts.blocks.add()
      let screen = definition *~> self.counts.make(MainScreen())
      screen.router = self.routers.router
      return screen
    }
  }

  var prototypeOfTwoRouters: [Router] {
    return define(withScope: .Prototype) { _ in [self.routers.router, self.routers.router] }
  }

  var twoInits: (Settings, Settings) {
    return define(withKey: "settings") { definition in
      let first = definition *~> Settings(1)
      let second = definition *~> Settings(2)
      return (first, second)
    }
  }

  var twoPrototypeInits: [Settings] {
    return define(withScope: .Prototype) { definition in
      return [definition.initObject(Settings(1)), definition.initObject(Settings(2))]
    }
  }

  var escaped: Definition {
    return define(withKey: "escaped") { definition in definition }
  }
}

private class Routers: Assembly {
  lazy var screens = Screens.instance()

  var router: Router {
    return define { definition in
      let router = definition *~> Router()
      router.screen = self.screens.screen
      return router
    }
  }
}

final class GraphTests: XCTestCase {
  func testEachAccessFromOutsideMakesANewObject() {
    let screens = Screens.instance()
    XCTAssertNotIdentical(screens.screen, screens.screen)
  }

  func testAProtocolClosesItsCycleThoughTheObjectIsOfAnotherType() {
    let screens = Screens()
    let blocks = screens.counts.blocks.value
    let screen = screens.screen
    XCTAssertNotNil(screen.router)
    // The router asks the assembly of its class, whose definition has the same key.
    XCTAssertIdentical(screen.router?.screen, screen)
    XCTAssertEqual(screens.counts.blocks.value - blocks, 1)
    XCTAssertEqual(screens.counts.inits.value, 1)
  }

  func testObjectsInsideOfAGraphAreShared() {
    let routers = Screens.instance().twoRouters
    XCTAssertIdentical(routers[0], routers[1])
  }

  func testAPrototypeIsMadeForEachAccess() {
    let screens = Screens()
    let made = screens.prototypes
    XCTAssertNotIdentical(made[0], made[1])
    XCTAssertEqual(screens.counts.blocks.value, 2)
    XCTAssertEqual(screens.counts.inits.value, 2)
  }

  func testPrototypesInsideOfAGraphShareIt() {
    let made = Screens.instance().prototypes
    XCTAssertIdentical(made[0].router, made[1].router)
  }

  func testAPrototypeOpensNoGraph() {
    let routers = Screens.instance().prototypeOfTwoRouters
    XCTAssertNotIdentical(routers[0], routers[1])
  }

  func testAPrototypeIsNotPutIntoTheGraph() {
    let made = Screens.instance().twoPrototypeInits
    XCTAssertEqual(made.map(\.number), [1, 2])
  }

  func testASecondInitializationGetsTheObjectOfTheFirst() {
    let (first, second) = Screens.instance().twoInits
    XCTAssertIdentical(first, second)
    XCTAssertEqual(first.number, 1)
  }

  func testADefinitionKeptBeyondItsGraphMakesObjectsThatNobodyFinds() {
    let definition = Screens.instance().escaped
    let first = definition *~> Settings(1)
    let second = definition *~> Settings(2)
    XCTAssertEqual([first.number, second.number], [1, 2])
  }

  func testTheGraphLetsGoOfItsObjects() {
    let screens = Screens.instance()
    weak var router: Router?
    autoreleasing { router = screens.twoRouters[0] }
    settleReclamation()
    XCTAssertNil(router)
  }

  func testThreadsHaveGraphsOfTheirOwn() throws {
    let routers = try onThreads(8) { _ in
      let pair = Screens.instance().twoRouters
      XCTAssertIdentical(pair[0], pair[1])
      return ObjectIdentifierBox(pair[0])
    }
    XCTAssertEqual(Set(routers.map(\.identifier)).count, 8)
  }

  func testTasksHaveGraphsOfTheirOwn() async {
    let routers = await withTaskGroup(of: ObjectIdentifierBox.self) { group in
      for _ in 0..<8 {
        group.addTask {
          let pair = Screens.instance().twoRouters
          XCTAssertIdentical(pair[0], pair[1])
          return ObjectIdentifierBox(pair[0])
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    XCTAssertEqual(Set(routers.map(\.identifier)).count, 8)
  }
}

private func autoreleasing(_ body: () -> Void) {
  body()
}

/// Keeps its object, so that no other one gets its address.
final class ObjectIdentifierBox: @unchecked Sendable {
  // SAFETY: only kept.
  private let object: AnyObject

  init(_ object: AnyObject) {
    self.object = object
  }

  var identifier: ObjectIdentifier { ObjectIdentifier(object) }
}
