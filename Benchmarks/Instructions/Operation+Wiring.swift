// SPDX-License-Identifier: MIT

import BenchmarkSupport
import Corinth

extension Operation {
  /// The loop of an operation of note 14: wiring and collections.
  func makeWiringLoop(_ container: Container) throws -> Loop {
    switch self {
    case .wired:
      try container.registerParts()
      try container.wire(Assembled.self, using: Assembled.init)
      return { count in
        for _ in 0..<count { blackHole(try container.resolve(Assembled.self)) }
      }
    case .wiredByHand:
      try container.registerParts()
      try container.register(Assembled.self) {
        Assembled(
          try $0.resolve(), try $0.resolve(), try $0.resolve(), try $0.resolve(),
          try $0.resolve(), try $0.resolve())
      }
      return { count in
        for _ in 0..<count { blackHole(try container.resolve(Assembled.self)) }
      }
    case .resolveAll:
      try container.contributeLeaves(10)
      return { count in
        for _ in 0..<count { blackHole(try container.resolveAll(Leaf.self).count) }
      }
    case .collection:
      try container.contributeLeaves(2)
      return { count in
        for _ in 0..<count { blackHole(try container.resolve([Leaf].self).count) }
      }
    case .lazy:
      try container.register(Leaf.self) { _ in Leaf(state: 1) }
      return { count in
        for _ in 0..<count { blackHole(try container.resolve(Lazy<Leaf>.self).value) }
      }
    default:
      return { count in
        for _ in 0..<count { blackHole((try? container.resolve(Unregistered.self)) == nil) }
      }
    }
  }
}

/// Six dependencies on one level.
private final class Assembled: Sendable {
  let parts: (Left, Right, OtherLeft, OtherRight, Leaf, Service)

  init(_ a: Left, _ b: Right, _ c: OtherLeft, _ d: OtherRight, _ e: Leaf, _ f: Service) {
    parts = (a, b, c, d, e, f)
  }
}

extension Container {
  fileprivate func registerParts() throws {
    try register(value: Left())
    try register(value: Right())
    try register(value: OtherLeft())
    try register(value: OtherRight())
    try register(value: Leaf(state: 1))
    try register(value: Service())
  }

  fileprivate func contributeLeaves(_ count: Int) throws {
    for _ in 0..<count {
      try contribute(to: Leaf.self, scope: .singleton) { _ in Leaf(state: 1) }
    }
  }
}
