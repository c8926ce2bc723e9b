// SPDX-License-Identifier: MIT

import Corinth

/// The paths of errors.
extension GraphRun {
  /// The service with a key, or for the lazy value of which it is; `nil` for the key of something else.
  func service(with key: RegistrationKey) -> Int? {
    names.firstIndex { $0 == key.name }
  }

  /// Whether each service of a path needs the next one, itself or through others: who got an instance early waits for what
  /// that waits for. What a deinit resolves may begin inside of any construction.
  func isWay(_ path: [Int], from first: Int) -> Bool {
    let ofDeinits = Set(expected.services.flatMap { $0.farewells.compactMap(\.target) })
    return path.first == first
      && zip(path, path.dropFirst()).allSatisfy { user, used in
        user == used || analysis.reach[user].contains(used) || ofDeinits.contains(used)
      }
  }
}
