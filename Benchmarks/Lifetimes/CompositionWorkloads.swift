// SPDX-License-Identifier: MIT

import BenchmarkSupport
import Corinth

/// The means of composing an application: decorators, forks.
func compositionWorkloads() throws -> Workloads {
  let decorated = Container()
  try decorated.register(Service.self, scope: .singleton) { _ in Service() }
  try decorated.decorate(Service.self) { service, _ in service }
  let large = Container()
  for number in 0..<1_000 {
    try large.register(Leaf.self, name: Name(number)) { _ in Leaf(state: 1) }
  }

  return [
    .decorated: .loop { _, count in
      for _ in 0..<count { blackHole(try decorated.resolve(Service.self)) }
    },
    .ifRegistered: .loop { _, count in
      for _ in 0..<count { blackHole(try decorated.resolveIfRegistered(Service.self)) }
    },
    .ifRegisteredMiss: .loop { _, count in
      for _ in 0..<count { blackHole(try decorated.resolveIfRegistered(Leaf.self)) }
    },
    .fork: .loop { _, count in
      for _ in 0..<count {
        let fork = large.fork()
        try fork.register(Leaf.self, name: Name(7), onDuplicate: .require) { _ in Leaf(state: 2) }
        blackHole(fork)
      }
    },
  ]
}

/// Initializers as factories, and collections.
func wiringWorkloads() throws -> Workloads {
  let wired = Container()
  try registerParts(in: wired)
  try wired.wire(Assembled.self, using: Assembled.init)
  let byHand = Container()
  try registerParts(in: byHand)
  try byHand.register(Assembled.self) {
    Assembled(
      try $0.resolve(), try $0.resolve(), try $0.resolve(), try $0.resolve(), try $0.resolve(),
      try $0.resolve())
  }
  let collected = Container()
  for _ in 0..<10 {
    try collected.contribute(to: Leaf.self, scope: .singleton) { _ in Leaf(state: 1) }
  }

  return [
    .wired: .loop { _, count in
      for _ in 0..<count { blackHole(try wired.resolve(Assembled.self)) }
    },
    .wiredByHand: .loop { _, count in
      for _ in 0..<count { blackHole(try byHand.resolve(Assembled.self)) }
    },
    .resolveAll: .loop { _, count in
      for _ in 0..<count { blackHole(try collected.resolveAll(Leaf.self).count) }
    },
  ]
}

private func registerParts(in container: Container) throws {
  try container.register(Left.self, scope: .singleton) { _ in Left() }
  try container.register(Right.self, scope: .singleton) { _ in Right() }
  try container.register(OtherLeft.self, scope: .singleton) { _ in OtherLeft() }
  try container.register(OtherRight.self, scope: .singleton) { _ in OtherRight() }
  try container.register(Leaf.self, scope: .singleton) { _ in Leaf(state: 1) }
  try container.register(Service.self, scope: .singleton) { _ in Service() }
}

/// Six dependencies on one level.
private final class Assembled: Sendable {
  let parts: (Left, Right, OtherLeft, OtherRight, Leaf, Service)

  init(_ a: Left, _ b: Right, _ c: OtherLeft, _ d: OtherRight, _ e: Leaf, _ f: Service) {
    parts = (a, b, c, d, e, f)
  }
}
