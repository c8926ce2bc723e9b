// SPDX-License-Identifier: MIT

import Baselines
import BenchmarkSupport
import Requests

/// The operations with a dictionary behind a mutex, one for every scope.
func mutexWorkloads() throws -> Workloads {
  let container = MutexContainer()
  container.register(Service.self, scope: .singleton) { _ in Service() }
  container.register(Leaf.self) { _ in Leaf(state: 1) }
  container.register(Left.self) { _ in Left() }

  return [
    .request: .loop(try Requests.mutex().loop),
    .scopeOfTwo: .loop { _, count in
      for _ in 0..<count {
        let scope = MutexScope(parent: container, capacity: 2)
        blackHole(try scope.resolve(scoped: Leaf.self))
        blackHole(try scope.resolve(scoped: Left.self))
        scope.close()
      }
    },
    .warmHandler: .loop { _, count in
      let scope = MutexScope(parent: container, capacity: 2)
      for _ in 0..<count {
        blackHole(
          Handler(
            try scope.resolve(scoped: Leaf.self), try scope.resolve(scoped: Left.self),
            try container.resolve(Service.self)))
      }
      scope.close()
    },
    .childRegistering: .loop { _, count in
      for _ in 0..<count {
        let child = MutexContainer()
        child.register(Leaf.self) { _ in Leaf(state: 1) }
        blackHole(try child.resolve(Leaf.self))
      }
    },
    .registeringThousand: .loop { _, count in
      for _ in 0..<count {
        let container = MutexContainer()
        for name in textNames {
          container.register(Leaf.self, name: name, scope: .singleton) { _ in Leaf(state: 1) }
        }
        for name in textNames { blackHole(try container.resolve(Leaf.self, name: name)) }
      }
    },
    .singleton: .loop { _, count in
      for _ in 0..<count { blackHole(try container.resolve(Service.self)) }
    },
    .child: .loop { _, count in
      for _ in 0..<count {
        let child = MutexScope(parent: container, capacity: 1)
        blackHole(try child.resolve(Service.self))
      }
    },
    .requestScope: .loop { _, count in
      for _ in 0..<count {
        let scope = MutexScope(parent: container, capacity: 1)
        blackHole(try scope.resolve(scoped: Leaf.self))
        scope.close()
      }
    },
    .scopedHit: .loop { _, count in
      let scope = MutexScope(parent: container, capacity: 1)
      for _ in 0..<count { blackHole(try scope.resolve(scoped: Leaf.self)) }
      scope.close()
    },
  ]
}

extension MutexScope {
  /// With the parent's factory.
  fileprivate func resolve<Product: AnyObject & Sendable>(
    scoped product: Product.Type
  ) throws -> Product {
    try resolveScoped(product) { try parent.resolve(product) }
  }
}
