// SPDX-License-Identifier: MIT

import BenchmarkSupport
import Corinth

extension Operation {
  /// The loop of an operation of note 11's scopes. Apart from the others, which must stay small enough to be optimised
  /// alike.
  func makeScopeLoop(_ container: Container) throws -> Loop {
    switch self {
    case .scopedHit:
      try container.register(Leaf.self) { _ in Leaf(state: 1) }.asScoped()
      let scope = container.makeScope()
      return { count in
        for _ in 0..<count { blackHole(try scope.resolve(Leaf.self)) }
      }
    case .requestScope:
      try container.register(Leaf.self) { _ in Leaf(state: 1) }.asScoped()
      return { count in
        for _ in 0..<count {
          let scope = container.makeScope()
          blackHole(try scope.resolve(Leaf.self))
          try scope.syncClose()
        }
      }
    default:
      try container.registerComplex(scope: .graph)
      return { count in
        for _ in 0..<count { blackHole(try container.resolve(Complex.self)) }
      }
    }
  }
}
