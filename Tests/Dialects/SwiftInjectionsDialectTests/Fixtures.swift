// SPDX-License-Identifier: MIT

import SwiftInjectionsDialect
import TestSupport

protocol Screen: AnyObject {
  var router: Router? { get set }
}

class MainScreen: Screen {
  var router: Router?
}

class Router {
  weak var screen: Screen?
  var settings: Settings?
}

class Settings {
  let number: Int

  init(_ number: Int = 0) {
    self.number = number
  }
}

enum Theme {
  case light, dark
}

/// Counts how often blocks and initializers run.
final class Counts: Sendable {
  let blocks = AtomicCounter()
  let inits = AtomicCounter()

  /// A new object, whose initializer is counted.
  func make<Object>(_ object: @autoclosure () -> Object) -> Object {
    inits.add()
    return object()
  }
}
