// SPDX-License-Identifier: MIT

import BenchmarkSupport
import Corinth

extension Operation {
  /// The loop of an operation that registers. The names are made before: another row has the cost
  /// of the names.
  func makeRegisteringLoop(_ container: Container) throws -> Loop {
    let names = (0..<10_000).map { Name($0) }
    switch self {
    case .registering:
      return { count in
        for name in names.prefix(count) {
          try container.register(Leaf.self, name: name) { _ in Leaf(state: 1) }
        }
      }
    case .overriding:
      for name in names.prefix(1_000) {
        try container.register(Leaf.self, name: name) { _ in Leaf(state: 1) }
      }
      return { count in
        for _ in 0..<count {
          try container.register(Leaf.self, name: names[7]) { _ in Leaf(state: 2) }
        }
      }
    case .childRegistering:
      try container.register(Service.self, scope: .singleton) { _ in Service() }
      return { count in
        for _ in 0..<count {
          let child = Container(parent: container)
          try child.register(Leaf.self) { _ in Leaf(state: 1) }
          blackHole(try child.resolve(Leaf.self))
        }
      }
    default:
      let names = names.prefix(1_000)
      return { count in
        for _ in 0..<count / names.count {
          let container = Container()
          for name in names {
            try container.register(Leaf.self, name: name, scope: .singleton) { _ in Leaf(state: 1) }
          }
          for name in names { blackHole(try container.resolve(Leaf.self, name: name)) }
        }
      }
    }
  }
}
