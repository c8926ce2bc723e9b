// SPDX-License-Identifier: MIT

import Corinth
internal import Synchronization

/// An installed package: what the benchmark resolves.
final class Package: Sendable {
  /// How many there are in the process.
  static let alive = Atomic(0)

  let position: Int
  let dependencies: [Package]
  /// Dependencies that would close a cycle. A provider keeps the container alive, so the container
  /// and the package keep each other alive until the registration is removed.
  let deferred: [Provider<Package>]
  /// The number of packages in the longest chain of dependencies, this package included.
  let depth: Int

  init(position: Int, dependencies: [Package], deferred: [Provider<Package>]) {
    self.position = position
    self.dependencies = dependencies
    self.deferred = deferred
    depth = 1 + (dependencies.lazy.map(\.depth).max() ?? 0)
    Package.alive.add(1, ordering: .relaxed)
  }

  deinit {
    Package.alive.subtract(1, ordering: .relaxed)
  }
}
