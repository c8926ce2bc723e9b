// SPDX-License-Identifier: MIT

import Baselines
import BenchmarkSupport

extension Operation {
  /// The loop of an operation on a dictionary of closures behind a recursive lock, which the
  /// compatibility modules are compared with.
  func makeClosureDictionaryLoop() -> Loop {
    let closures = ClosureDictionary()
    if self == .dictionaryTransient {
      closures.register { Leaf(state: 1) }
      return { count in
        for _ in 0..<count { blackHole(try closures.resolve(Leaf.self)) }
      }
    }
    let service = Service()
    closures.register { service }
    return { count in
      for _ in 0..<count { blackHole(try closures.resolve(Service.self)) }
    }
  }
}
