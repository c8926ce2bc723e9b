// SPDX-License-Identifier: MIT

import BenchmarkSupport
import Corinth

extension Operation {
  /// The loop of an operation of notes 17 and 18: decorators, forks.
  func makeCompositionLoop(_ container: Container) throws -> Loop {
    switch self {
    case .observed:
      let metrics = MetricsBehavior(countsResolves: false)
      container.add(metrics)
      try container.register(Leaf.self) { _ in Leaf(state: 1) }
      return { count in
        for _ in 0..<count { blackHole(try container.resolve(Leaf.self)) }
      }
    case .decorated:
      try container.register(Service.self, scope: .singleton) { _ in Service() }
      try container.decorate(Service.self) { service, _ in service }
      return { count in
        for _ in 0..<count { blackHole(try container.resolve(Service.self)) }
      }
    default:
      for number in 0..<1_000 {
        try container.register(Leaf.self, name: Name(number)) { _ in Leaf(state: 1) }
      }
      return { count in
        for _ in 0..<count {
          let fork = container.fork()
          try fork.register(Leaf.self, name: Name(7), onDuplicate: .require) { _ in Leaf(state: 2) }
          blackHole(fork)
        }
      }
    }
  }
}
