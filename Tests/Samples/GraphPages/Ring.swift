// SPDX-License-Identifier: MIT

import Corinth

final class Part: Sendable {}
final class Spare: Sendable {}

/// Five that need each other, one of them twice over, one that needs itself, and two that ask for
/// the same missing key.
enum Ring {
  static func make() throws -> Container {
    let container = Container()
    let dependencies = [[2, 4], [3], [4], [0], [1], [5]]
    for (number, needed) in dependencies.enumerated() {
      let keys = needed.map { RegistrationKey(Part.self, name: Name("\($0)")) }
      try container.register(Part.self, name: Name("\(number)"), with: .dependsOn(keys: keys)) {
        _ in Part()
      }
    }
    for number in 6...7 {
      try container.register(Part.self, name: Name("\(number)"), with: .dependsOn(Spare.self)) {
        _ in Part()
      }
    }
    return container
  }
}
