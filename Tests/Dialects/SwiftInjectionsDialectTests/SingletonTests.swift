// SPDX-License-Identifier: MIT

import SwiftInjectionsDialect
import TestSupport
import XCTest

private class Shared: Assembly {
  let counts = Counts()

  var router: Router {
    return define(withScope: .Singleton) { (definition) in
      self.counts.blocks.add()
      let router = definition *~> self.counts.make(Router())
      router.settings = self.prototype
      return router
    }
  }

  var prototype: Settings {
    return define(withScope: .Prototype) { definition in definition *~> Settings() }
  }

  var routers: [Router] {
    return define { definition in definition *~> [self.router, self.router] }
  }

  var main: Settings {
    return define(withKey: "main", scope: .Singleton) { definition in definition *~> Settings(1) }
  }

  var other: Settings {
    return define(withKey: "other", scope: .Singleton) { definition in definition *~> Settings(2) }
  }

  var mainAgain: Settings {
    return define(withKey: "main", scope: .Singleton) { definition in definition *~> Settings(3) }
  }

  var mainRouter: Router {
    return define(withKey: "main", scope: .Singleton) { definition in definition *~> Router() }
  }

  var screen: Screen {
    return define(withScope: .Singleton) { definition in definition *~> MainScreen() }
  }

  var theme: Theme {
    return define(withScope: .Singleton) { definition in
      definition *~> self.counts.make(Theme.dark)
    }
  }

  func inject(_ settings: Settings) -> Settings {
    return define(withKey: "injected", scope: .Singleton) { definition in definition *~> settings }
  }

  var graphMain: [Settings] {
    return define { definition in
      definition *~> [
        self.main, self.define(withKey: "main") { definition in definition *~> Settings(9) },
      ]
    }
  }
}

/// Two singletons that refer to each other, each of which finds the other before it is made.
private class Mutual: Assembly {
  let counts = Counts()

  var screen: MainScreen {
    return define(withScope: .Singleton) { definition in
      let screen = definition *~> self.counts.make(MainScreen())
      screen.router = self.router
      return screen
    }
  }

  var router: Router {
    return define(withScope: .Singleton) { definition in
      self.counts.blocks.add()
      let screen = self.screen
      let router = definition *~> self.counts.make(Router())
      router.screen = screen
      return router
    }
  }
}

final class SingletonTests: XCTestCase {
  func testItIsMadeAtTheFirstAccess() {
    let shared = Shared()
    XCTAssertEqual(shared.counts.inits.value, 0)
    _ = shared.router
    XCTAssertEqual(shared.counts.inits.value, 1)
  }

  func testAllAccessesGiveTheSameObject() {
    let shared = Shared()
    XCTAssertIdentical(shared.router, shared.router)
    XCTAssertEqual(shared.counts.inits.value, 1)
  }

  func testItIsInjectedAgainOnEachAccessFromOutside() {
    let shared = Shared()
    let first = shared.router.settings
    let second = shared.router.settings
    XCTAssertNotNil(first)
    XCTAssertNotIdentical(first, second)
    XCTAssertEqual(shared.counts.blocks.value, 2)
  }

  func testItIsInjectedOnceInAGraph() {
    let shared = Shared()
    let routers = shared.routers
    XCTAssertIdentical(routers[0], routers[1])
    XCTAssertEqual(shared.counts.blocks.value, 1)
    _ = shared.routers
    XCTAssertEqual(shared.counts.blocks.value, 2)
  }

  func testEachAssemblyHasItsOwn() {
    XCTAssertNotIdentical(Shared().router, Shared().router)
    XCTAssertIdentical(Shared.instance().router, Shared.instance().router)
  }

  func testKeysTellSingletonsApart() {
    let shared = Shared()
    XCTAssertEqual([shared.main, shared.other, shared.main].map(\.number), [1, 2, 1])
  }

  func testTwoDefinitionsOfOneKeyShareTheSingleton() {
    let shared = Shared()
    XCTAssertIdentical(shared.main, shared.mainAgain)
  }

  func testOneKeyMayHaveASingletonOfEachType() {
    let shared = Shared()
    let (settings, router) = (shared.main, shared.mainRouter)
    XCTAssertIdentical(shared.main, settings)
    XCTAssertIdentical(shared.mainRouter, router)
  }

  func testItMayBeAProtocolOrAValue() {
    let shared = Shared()
    XCTAssertIdentical(shared.screen, shared.screen)
    XCTAssertEqual(shared.theme, .dark)
    XCTAssertEqual(shared.theme, .dark)
    XCTAssertEqual(shared.counts.inits.value, 1)
  }

  func testTheFirstExistingObjectStaysTheSingleton() {
    let shared = Shared()
    let first = Settings(1)
    XCTAssertIdentical(shared.inject(first), first)
    XCTAssertIdentical(shared.inject(Settings(2)), first)
  }

  func testAnObjectOfTheGraphMayHaveTheKeyOfASingletonAndIsThatThen() {
    let shared = Shared()
    XCTAssertEqual(shared.graphMain.map(\.number), [1, 1])
  }

  func testTwoThatReferToEachOtherAreMadeOnceFromEitherSide() {
    for startsWithRouter in [false, true] {
      let mutual = Mutual()
      let (screen, router) =
        startsWithRouter
        ? { ($1, $0) }(mutual.router, mutual.screen) : (mutual.screen, mutual.router)
      XCTAssertIdentical(screen.router, router)
      XCTAssertIdentical(router.screen, screen)
      XCTAssertEqual(mutual.counts.inits.value, 2)
    }
  }

  func testTheyGoWithTheirAssembly() {
    weak var router: Router?
    do {
      let shared = Shared()
      router = shared.router
      XCTAssertNotNil(router)
    }
    settleReclamation()
    XCTAssertNil(router)
  }
}
