// SPDX-License-Identifier: MIT

import Corinth

/// The paths of errors.
extension GraphRun {
  /// The service with a key, or for the lazy value of which it is; `nil` for the key of something
  /// else, such as the lazy value of a parameter of an initializer.
  func service(with key: RegistrationKey) -> Int? {
    names.firstIndex { $0 == key.name }
  }

  /// Whether each service of a path needs the next one, itself or through others: who got an
  /// instance early waits for what that waits for. What a deinit resolves, and what that needs, may
  /// begin inside of any construction.
  func isWay(_ path: [RegistrationKey], from first: Int) -> Bool {
    let known = path.compactMap(service)
    let way = path.first.flatMap(service) == nil ? [first] + known : known
    return way.first == first
      && zip(way, way.dropFirst()).allSatisfy { user, used in
        user == used || analysis.reach[user].contains(used) || analysis.isBuiltByDeinits[used]
      }
  }
}
