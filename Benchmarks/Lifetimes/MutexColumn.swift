// SPDX-License-Identifier: MIT

import Baselines
import BenchmarkSupport
import Requests

/// The operations with a dictionary behind a mutex, one for every scope and child.
func mutexWorkloads() throws -> Workloads {
  let container = try makeContainer()
  // Stand for a thousand types.
  let keys = textNames.indices.map { _ in KeyObject() }
  var workloads = mutexScopeWorkloads(container)
  workloads.merge(mutexTaskWorkloads(container)) { first, _ in first }
  workloads[.request] = .loop(try Requests.mutex().loop)
  workloads[.requestByHand] = .loop(try Requests.mutexByHand().loop)
  workloads.merge([
    .singleton: .loop { _, count in
      for _ in 0..<count { blackHole(try container.resolve(Service.self)) }
    },
    .childRegistering: .loop { _, count in
      for _ in 0..<count {
        let child = MutexDictionary(parent: container)
        child.register(Leaf.self) { _ in Leaf(state: 1) }
        blackHole(try child.resolve(Leaf.self))
      }
    },
    .registeringThousand: .loop { _, count in
      for _ in 0..<count {
        let container = MutexDictionary()
        for key in keys {
          container.register(singleton: Leaf.self, for: ObjectIdentifier(key)) { _ in
            Leaf(state: 1)
          }
        }
        for key in keys {
          blackHole(try container.resolve(Leaf.self, for: ObjectIdentifier(key)))
        }
      }
    },
    .ifRegistered: .loop { _, count in
      for _ in 0..<count { blackHole(try container.resolveIfRegistered(Service.self)) }
    },
    .ifRegisteredMiss: .loop { _, count in
      for _ in 0..<count { blackHole(try container.resolveIfRegistered(Unregistered.self)) }
    },
  ]) { first, _ in first }
  return workloads
}

/// Scopes that are made and dropped, and children.
private func mutexScopeWorkloads(_ container: MutexDictionary) -> Workloads {
  [
    .child: .loop { _, count in
      for _ in 0..<count {
        let child = MutexDictionary(parent: container)
        blackHole(try child.resolve(Service.self))
      }
    },
    .requestScope: .loop { _, count in
      for _ in 0..<count {
        let scope = MutexDictionary(parent: container, capacity: 1)
        blackHole(try scope.resolve(Leaf.self))
      }
    },
    .scopeOfTwo: .loop { _, count in
      for _ in 0..<count {
        let scope = MutexDictionary(parent: container, capacity: 2)
        blackHole(try scope.resolve(Leaf.self))
        blackHole(try scope.resolve(Left.self))
      }
    },
    .scopedAndInputs: .loop { _, count in
      for number in 0..<count {
        let scope = MutexDictionary(parent: container, capacity: 3)
        scope.provide(number)
        scope.provide(Settings(width: 80, height: 24))
        blackHole(try scope.resolve(Leaf.self))
      }
    },
    .handler: .loop { _, count in
      for _ in 0..<count {
        let scope = MutexDictionary(parent: container, capacity: 2)
        blackHole(try scope.resolve(Handler.self))
      }
    },
    .warmHandler: .loop { _, count in
      let scope = MutexDictionary(parent: container, capacity: 2)
      for _ in 0..<count { blackHole(try scope.resolve(Handler.self)) }
    },
    .scopedHit: .loop { _, count in
      let scope = MutexDictionary(parent: container, capacity: 1)
      for _ in 0..<count { blackHole(try scope.resolve(Leaf.self)) }
    },
  ]
}

/// Resolves of tasks.
private func mutexTaskWorkloads(_ container: MutexDictionary) -> Workloads {
  [
    .asyncSingleton: .tasks { _, count in
      for _ in 0..<count { blackHole(try await container.resolveAsync(Service.self)) }
    },
    .asyncTransient: .tasks { _, count in
      for _ in 0..<count { blackHole(try await container.resolveAsync(OtherLeft.self)) }
    },
    .asyncFactory: .tasks { _, count in
      for _ in 0..<count { blackHole(try await container.resolveAsync(Right.self)) }
    },
    .withScopeSync: .tasks { _, count in
      for _ in 0..<count {
        let scope = MutexDictionary(parent: container, capacity: 1)
        blackHole(try scope.resolve(Leaf.self))
      }
    },
    .withScope: .tasks { _, count in
      for _ in 0..<count {
        let scope = MutexDictionary(parent: container, capacity: 1)
        blackHole(try await scope.resolveAsync(Leaf.self))
      }
    },
  ]
}

private func makeContainer() throws -> MutexDictionary {
  let container = MutexDictionary()
  container.register(singleton: Service.self) { _ in Service() }
  container.register(scoped: Leaf.self) { _ in Leaf(state: 1) }
  container.register(scoped: Left.self) { _ in Left() }
  container.register(OtherLeft.self) { _ in OtherLeft() }
  container.register(async: Right.self) { _ in Right() }
  container.register(Handler.self) {
    Handler(try $0.resolve(Leaf.self), try $0.resolve(Left.self), try $0.resolve(Service.self))
  }
  blackHole(try container.resolve(Service.self))
  return container
}

private final class KeyObject: Sendable {}
