// SPDX-License-Identifier: MIT

import Baselines
import BenchmarkSupport
import Synchronization

/// What a dictionary behind a mutex does, one for each scope.
func mutexWorkloads() throws -> Workloads {
  let container = MutexContainer()
  container.register(Service.self, scope: .singleton) { _ in Service() }
  container.register(Leaf.self) { _ in Leaf(state: 1) }

  return [
    .singleton: .loop { _, count in
      for _ in 0..<count { blackHole(try container.resolve(Service.self)) }
    },
    .child: .loop { _, count in
      for _ in 0..<count {
        let child = MutexScope(parent: container)
        blackHole(try child.resolve(Service.self))
      }
    },
    .requestScope: .loop { _, count in
      for _ in 0..<count {
        let scope = MutexScope(parent: container)
        blackHole(try scope.resolveScoped(Leaf.self))
        scope.close()
      }
    },
    .scopedHit: .loop { _, count in
      let scope = MutexScope(parent: container)
      for _ in 0..<count { blackHole(try scope.resolveScoped(Leaf.self)) }
      scope.close()
    },
  ]
}

/// A request scope as somebody would write it by hand: a dictionary behind a mutex.
private final class MutexScope: Sendable {
  private typealias Instances = [ObjectIdentifier: any AnyObject & Sendable]

  private let parent: MutexContainer
  private let instances = Mutex<Instances>([:])

  init(parent: MutexContainer) {
    self.parent = parent
  }

  /// What is kept here, or else the parent's.
  func resolve<Product: AnyObject & Sendable>(_ product: Product.Type) throws -> Product {
    if let kept = instances.withLock({ $0[ObjectIdentifier(product)] }) as? Product { return kept }
    return try parent.resolve(product)
  }

  /// What is kept here, or else a new one from the parent, which is then kept.
  func resolveScoped<Product: AnyObject & Sendable>(_ product: Product.Type) throws -> Product {
    let key = ObjectIdentifier(product)
    if let kept = instances.withLock({ $0[key] }) as? Product { return kept }
    let built = try parent.resolve(product)
    return instances.withLock { instances in
      // Another thread may have been first.
      if let kept = instances[key] as? Product { return kept }
      instances[key] = built
      return built
    }
  }

  func close() {
    // Destroyed after the lock is given up.
    _ = instances.withLock { instances in
      let kept = instances
      instances = [:]
      return kept
    }
  }
}
