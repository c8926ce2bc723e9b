// SPDX-License-Identifier: MIT

import BenchmarkSupport
import Corinth

/// The operations in code without a container: stored properties and initializers.
func directWorkloads() -> Workloads {
  let wiring = Wiring()
  let service = wiring.service

  return [
    .singleton: .loop { _, count in
      for _ in 0..<count { blackHole(wiring.ownedService()) }
    },
    .referenceCount: .loop { _, count in
      for _ in 0..<count { retainAndRelease(service) }
    },
    .storedName: .loop { _, count in
      for _ in 0..<count { blackHole(wiring.ownedService()) }
    },
    .literalName: .loop { _, count in
      for _ in 0..<count { blackHole(wiring.ownedService()) }
    },
    .valueSingleton: .loop { _, count in
      for _ in 0..<count { blackHole(wiring.ownedSettings()) }
    },
    .provider: .loop { _, count in
      for _ in 0..<count { blackHole(wiring.ownedSettings()) }
    },
    .withResolved: .loop { _, count in
      for _ in 0..<count { blackHole(wiring.service.state) }
    },
    .transient: .loop { _, count in
      for _ in 0..<count { blackHole(Leaf(state: 1)) }
    },
    .combined: .loop { _, count in
      for _ in 0..<count { blackHole(Combined(Left(), Right())) }
    },
    .complex: .loop { _, count in
      for _ in 0..<count {
        blackHole(
          Complex(FirstBranch(Left(), Right()), SecondBranch(OtherLeft(), OtherRight())))
      }
    },
    .argument: .loop { _, count in
      for index in 0..<count { blackHole(Leaf(state: index)) }
    },
    .weak: .loop { _, count in
      for _ in 0..<count { blackHole(wiring.weakService) }
    },
  ]
}

/// The instances of a program that is wired by hand.
private final class Wiring: Sendable {
  let service = Service()
  let settings = Settings(width: 80, height: 24)
  // A separate object: a weakly held object counts references in a side table, slowly.
  private let observed = Service()
  weak let weakService: Service?

  init() {
    weakService = observed
  }

  /// Opaque to the optimizer, so that the caller gets a reference of its own, as from a container.
  @inline(never)
  @_optimize(none)
  func ownedService() -> Service { service }

  @inline(never)
  @_optimize(none)
  func ownedSettings() -> Settings { settings }
}

/// The cost of one reference and nothing else: taken over from the caller, which retains, and given
/// up at the end.
@inline(never)
@_optimize(none)
private func retainAndRelease(_ service: consuming Service) {}
