// SPDX-License-Identifier: MIT

import BenchmarkSupport
import DICDialect

extension Operation {
  /// The loop of an operation through DIC's interface.
  func makeDICLoop() -> Loop {
    let container = DependencyInjectionContainer()
    switch self {
    case .dicSingleton:
      container.registerSingleton(Service())
      return { count in
        for _ in 0..<count { blackHole(container.load(Service.self)) }
      }
    // Alone in the container: the lookup of a singleton, which comes first, takes longer if a
    // second key has the place.
    case .dicPlain:
      container.register(Leaf(state: 1))
      return { count in
        for _ in 0..<count { blackHole(container.load(Leaf.self)) }
      }
    case .dicImmutable:
      let immutable = DICBuilder().registerSingleton(Service()).build()
      return { count in
        for _ in 0..<count { blackHole(immutable.load(Service.self)) }
      }
    default:
      container.registerSingleton(Service())
      container.register(Leaf(state: 1))
      return { count in
        for _ in 0..<count { blackHole(container.loadOrNil(Unregistered.self)) }
      }
    }
  }
}
