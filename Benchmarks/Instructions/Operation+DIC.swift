// SPDX-License-Identifier: MIT

import BenchmarkSupport
import DICDialect

extension Operation {
  /// The loop of an operation through DIC's interface.
  func makeDICLoop() -> Loop {
    let container = DependencyInjectionContainer()
    container.registerSingleton(Service())
    container.register(Leaf(state: 1))
    switch self {
    case .dicSingleton:
      return { count in
        for _ in 0..<count { blackHole(container.load(Service.self)) }
      }
    case .dicPlain:
      return { count in
        for _ in 0..<count { blackHole(container.load(Leaf.self)) }
      }
    case .dicImmutable:
      let immutable = DICBuilder().registerSingleton(Service()).build()
      return { count in
        for _ in 0..<count { blackHole(immutable.load(Service.self)) }
      }
    default:
      return { count in
        for _ in 0..<count { blackHole(container.loadOrNil(Unregistered.self)) }
      }
    }
  }
}
