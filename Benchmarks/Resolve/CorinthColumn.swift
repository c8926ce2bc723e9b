// SPDX-License-Identifier: MIT

import BenchmarkSupport
import Corinth

extension Name {
  static let primary = Name(serviceName)
  static let weak = Name(weakName)
}

/// The operations with Corinth, used as clients use Corinth.
func corinthWorkloads() throws -> Workloads {
  let container = Container()
  try registerProducts(in: container)
  let settings = try container.provider(for: Settings.self)
  let alive = try container.resolve(Service.self, name: .weak)

  return [
    .singleton: .loop { _, count in
      for _ in 0..<count { blackHole(try container.resolve(Service.self)) }
    },
    .storedName: .loop { _, count in
      for _ in 0..<count { blackHole(try container.resolve(Service.self, name: .primary)) }
    },
    .literalName: .loop { _, count in
      for _ in 0..<count { blackHole(try container.resolve(Service.self, name: "primary")) }
    },
    .valueSingleton: .loop { _, count in
      for _ in 0..<count { blackHole(try container.resolve(Settings.self)) }
    },
    .provider: .loop { _, count in
      for _ in 0..<count { blackHole(try settings()) }
    },
    .withResolved: .loop { _, count in
      for _ in 0..<count { try container.withResolved(Service.self) { blackHole($0.state) } }
    },
    .transient: .loop { _, count in
      for _ in 0..<count { blackHole(try container.resolve(Leaf.self)) }
    },
    .combined: .loop { _, count in
      for _ in 0..<count { blackHole(try container.resolve(Combined.self)) }
    },
    .complex: .loop { _, count in
      for _ in 0..<count { blackHole(try container.resolve(Complex.self)) }
    },
    .argument: .loop { _, count in
      for index in 0..<count { blackHole(try container.resolve(Leaf.self, arguments: index)) }
    },
    .weak: .loop { _, count in
      for _ in 0..<count { blackHole(try container.resolve(Service.self, name: .weak)) }
      blackHole(alive)
    },
    .miss: .loop { _, count in
      for _ in 0..<count { blackHole(try container.resolveIfRegistered(Unregistered.self)) }
    },
    .register: .prepared { threads, count in
      let container = Container()
      let names = distinctNames(threads, count).map { $0.map { Name($0) } }
      return { thread, count in
        for index in 0..<count {
          try container.register(Leaf.self, name: names[thread][index]) { _ in Leaf(state: 1) }
        }
      }
    },
    .override: .prepared { _, _ in
      let container = Container()
      return { thread, count in
        let name = Name(thread)
        for _ in 0..<count {
          try container.register(Leaf.self, name: name) { _ in Leaf(state: 1) }
        }
      }
    },
  ]
}

private func registerProducts(in container: Container) throws {
  try container.register(Service.self, scope: .singleton) { _ in Service() }
  try container.register(Service.self, name: .primary, scope: .singleton) { _ in Service() }
  try container.register(Service.self, name: .weak, scope: .weak) { _ in Service() }
  try container.register(Settings.self, scope: .singleton) { _ in Settings(width: 80, height: 24) }
  try container.register(Leaf.self) { _ in Leaf(state: 1) }
  try container.register(Leaf.self) { (_, state: Int) in Leaf(state: state) }
  try container.register(Left.self) { _ in Left() }
  try container.register(Right.self) { _ in Right() }
  try container.register(OtherLeft.self) { _ in OtherLeft() }
  try container.register(OtherRight.self) { _ in OtherRight() }
  try container.register(Combined.self) {
    Combined(try $0.resolve(Left.self), try $0.resolve(Right.self))
  }
  try container.register(FirstBranch.self) {
    FirstBranch(try $0.resolve(Left.self), try $0.resolve(Right.self))
  }
  try container.register(SecondBranch.self) {
    SecondBranch(try $0.resolve(OtherLeft.self), try $0.resolve(OtherRight.self))
  }
  try container.register(Complex.self) {
    Complex(try $0.resolve(FirstBranch.self), try $0.resolve(SecondBranch.self))
  }
}
