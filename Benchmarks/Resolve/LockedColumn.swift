// SPDX-License-Identifier: MIT

import Baselines
import BenchmarkSupport

/// The operations with a dictionary with names behind a lock.
func lockedWorkloads<Lock>(_ container: LockedContainer<Lock>) throws -> Workloads {
  registerProducts(in: container)
  let alive = try container.resolve(Service.self, name: weakName)

  return [
    .singleton: .loop { _, count in
      for _ in 0..<count { blackHole(try container.resolve(Service.self)) }
    },
    .storedName: .loop { _, count in
      for _ in 0..<count { blackHole(try container.resolve(Service.self, name: serviceName)) }
    },
    .literalName: .loop { _, count in
      for _ in 0..<count { blackHole(try container.resolve(Service.self, name: "primary")) }
    },
    .valueSingleton: .loop { _, count in
      for _ in 0..<count { blackHole(try container.resolve(Settings.self)) }
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
      for index in 0..<count { blackHole(try container.resolve(Leaf.self, argument: index)) }
    },
    .weak: .loop { _, count in
      for _ in 0..<count { blackHole(try container.resolve(Service.self, name: weakName)) }
      blackHole(alive)
    },
    .miss: .loop { _, count in
      for _ in 0..<count { blackHole(container.resolveIfRegistered(Unregistered.self)) }
    },
    .register: .prepared { threads, count in
      let container = LockedContainer<Lock>()
      let names = distinctNames(threads, count)
      return { thread, count in
        for index in 0..<count {
          container.register(Leaf.self, name: names[thread][index]) { _ in Leaf(state: 1) }
        }
      }
    },
    .override: .prepared { _, _ in
      let container = LockedContainer<Lock>()
      return { thread, count in
        let name = "\(thread)"
        for _ in 0..<count {
          container.register(Leaf.self, name: name) { _ in Leaf(state: 1) }
        }
      }
    },
  ]
}

private func registerProducts<Lock>(in container: LockedContainer<Lock>) {
  container.register(Service.self, scope: .singleton) { _ in Service() }
  container.register(Service.self, name: serviceName, scope: .singleton) { _ in Service() }
  container.register(Service.self, name: weakName, scope: .weak) { _ in Service() }
  container.register(Settings.self, scope: .singleton) { _ in Settings(width: 80, height: 24) }
  container.register(Leaf.self) { _ in Leaf(state: 1) }
  container.register(Leaf.self, argument: Int.self) { _, state in Leaf(state: state) }
  container.register(Left.self) { _ in Left() }
  container.register(Right.self) { _ in Right() }
  container.register(OtherLeft.self) { _ in OtherLeft() }
  container.register(OtherRight.self) { _ in OtherRight() }
  container.register(Combined.self) {
    Combined(try $0.resolve(Left.self), try $0.resolve(Right.self))
  }
  container.register(FirstBranch.self) {
    FirstBranch(try $0.resolve(Left.self), try $0.resolve(Right.self))
  }
  container.register(SecondBranch.self) {
    SecondBranch(try $0.resolve(OtherLeft.self), try $0.resolve(OtherRight.self))
  }
  container.register(Complex.self) {
    Complex(try $0.resolve(FirstBranch.self), try $0.resolve(SecondBranch.self))
  }
}
