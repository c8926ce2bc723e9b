// SPDX-License-Identifier: MIT

import SwiftInjectionsDialect

private final class Hall: Assembly {
  var guest: Guest {
    self.define(withScope: .Singleton) { (definition) in definition *~> Guest("good day") }
  }

  var pair: Pair {
    self.define { (definition) in
      let pair = definition *~> Pair()
      pair.guest = self.guest
      return pair
    }
  }
}

private final class Pair {
  var guest: Guest?
}

func greetingOfSwiftInjections() -> String {
  let hall = Hall.instance()
  return "\(hall.pair.guest?.greeting ?? "nobody"), \(hall.guest === hall.guest)"
}
