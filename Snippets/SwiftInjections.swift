// SPDX-License-Identifier: MIT
// Assemblies that define objects which refer to each other, by the module for SwiftInjections.

// swift-format-ignore-file: NoEmptyTrailingClosureParentheses

// snippet.show
import SwiftInjectionsDialect

final class Screen {
  var router: Router?
  var settings: Settings?
}

final class Router {
  weak var screen: Screen?
  var settings: Settings?
}

final class Settings {}

final class Screens: Assembly {
  lazy var routers = Routers.instance()

  var screen: Screen {
    return self.define() { (definition) in
      let screen = definition *~> Screen()
      screen.router = self.routers.router
      screen.settings = self.settings
      return screen
    }
  }

  var settings: Settings {
    return self.define(withScope: .Singleton) { (definition) in
      return definition *~> Settings()
    }
  }

  // An object made by other code.
  func inject(into screen: Screen) -> Screen {
    return self.define() { (definition) in
      let screen = definition *~> screen
      screen.router = self.routers.router
      return screen
    }
  }
}

final class Routers: Assembly {
  lazy var screens = Screens.instance()

  var router: Router {
    return self.define() { (definition) in
      let router = definition *~> Router()
      router.screen = self.existingObjectByMatchingType()
      router.settings = self.screens.settings
      return router
    }
  }
}

let screen = Screens.instance().screen
print("the cycle is closed:", screen.router?.screen === screen)
print("one singleton:", screen.settings === screen.router?.settings)

let another = Screens.instance().screen
print("a graph for each access:", another !== screen)
print("the same singleton:", another.settings === screen.settings)

let existing = Screen()
print("the same object:", Screens.instance().inject(into: existing) === existing)
print("found by its type:", existing.router?.screen === existing)
// snippet.hide

precondition(screen.router?.screen === screen && another !== screen)
precondition(screen.settings === screen.router?.settings && another.settings === screen.settings)
precondition(existing.router?.screen === existing)
