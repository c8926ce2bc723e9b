// SPDX-License-Identifier: MIT

import BenchmarkSupport
import Requests

/// The operations in code without a container: stored properties, initializers and async functions.
///
/// The counterpart of `resolveAsync` is the least that a program does by hand: the program awaits
/// an instance at its start, and reads a stored property from then on. A program that builds an
/// instance on first use, once for many tasks, stores a task, and awaits its value.
func directWorkloads() -> Workloads {
  let service = Service()
  let task = Task<Service, any Error> { Service() }

  return [
    .request: .loop(Requests.direct().loop),
    .singleton: .loop { _, count in
      for _ in 0..<count { blackHole(owned(service)) }
    },
    .taskValue: .tasks { _, count in
      for _ in 0..<count { blackHole(try await task.value) }
    },
    .asyncSingleton: .tasks { _, count in
      for _ in 0..<count { blackHole(owned(service)) }
    },
    .asyncStoredName: .tasks { _, count in
      for _ in 0..<count { blackHole(owned(service)) }
    },
    .asyncTransient: .tasks { _, count in
      for _ in 0..<count { blackHole(Left()) }
    },
    .asyncFactory: .tasks { _, count in
      for _ in 0..<count { blackHole(await makeLeft()) }
    },
    .graph: .loop { _, count in
      for _ in 0..<count {
        blackHole(
          Complex(FirstBranch(Left(), Right()), SecondBranch(OtherLeft(), OtherRight())))
      }
    },
    .trackedTransient: .loop { _, count in
      for _ in 0..<count { blackHole(Leaf(state: 1)) }
    },
    .requestScope: .loop { _, count in
      for _ in 0..<count { blackHole(Request(leaf: Leaf(state: 1)).leaf) }
    },
    .scopeOfTwo: .loop { _, count in
      for _ in 0..<count {
        let request = RequestOfTwo(leaf: Leaf(state: 1), left: Left())
        blackHole(request.leaf)
        blackHole(request.left)
      }
    },
    .handler: .loop { _, count in
      for _ in 0..<count { blackHole(Handler(Leaf(state: 1), Left(), service)) }
    },
    .warmHandler: .loop { _, count in
      let (leaf, left) = (Leaf(state: 1), Left())
      for _ in 0..<count { blackHole(Handler(owned(leaf), owned(left), owned(service))) }
    },
    .withScope: .tasks { _, count in
      for _ in 0..<count { blackHole(await makeRequest().leaf) }
    },
    .scopedHit: .loop { _, count in
      let leaf = Leaf(state: 1)
      for _ in 0..<count { blackHole(owned(leaf)) }
    },
    .injected: .loop { _, count in
      let owner = Owner.make()
      for _ in 0..<count { blackHole(owner.service) }
    },
    .cached: .loop { _, count in
      for _ in 0..<count { blackHole(owned(service)) }
    },
    .decorated: .loop { _, count in
      for _ in 0..<count { blackHole(owned(service)) }
    },
  ]
}

private final class Owner {
  var service = Service()

  /// Out of sight of the optimizer, which would otherwise not count references to the service.
  @inline(never)
  @_optimize(none)
  static func make() -> Owner { Owner() }
}

/// A scope with two instances, written by hand.
private final class RequestOfTwo: Sendable {
  let leaf: Leaf
  let left: Left

  init(leaf: Leaf, left: Left) {
    self.leaf = leaf
    self.left = left
  }
}

/// A scope with one instance, written by hand.
private final class Request: Sendable {
  let leaf: Leaf

  init(leaf: Leaf) {
    self.leaf = leaf
  }
}

// The functions are opaque to the optimizer, so that the calls take place, and callers get
// references of their own, as from a container. Callers stay on their actor, as with asynchronous
// factories.

@inline(never)
@_optimize(none)
private func owned<Product: AnyObject>(_ instance: Product) -> Product { instance }

@inline(never)
@_optimize(none)
nonisolated(nonsending)
  private func makeLeft() async -> Left
{ Left() }

@inline(never)
@_optimize(none)
nonisolated(nonsending)
  private func makeRequest() async -> Request
{ Request(leaf: Leaf(state: 1)) }
