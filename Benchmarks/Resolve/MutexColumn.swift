// SPDX-License-Identifier: MIT

import Baselines
import BenchmarkSupport

/// The operations with a dictionary by type behind a mutex.
func mutexWorkloads() -> Workloads {
  let container = MutexDictionary()
  registerProducts(in: container)

  return [
    .singleton: .loop { _, count in
      for _ in 0..<count { blackHole(try container.resolve(Service.self)) }
    },
    .valueSingleton: .loop { _, count in
      for _ in 0..<count { blackHole(try container.value(Settings.self)) }
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
    .miss: .loop { _, count in
      for _ in 0..<count { blackHole(try container.resolveIfRegistered(Unregistered.self)) }
    },
    .register: .prepared { threads, count in
      let container = MutexDictionary()
      let keys = (0..<threads).map { _ in (0..<count).map { _ in Left() } }
      return { thread, count in
        for index in 0..<count {
          container.register(Leaf.self, for: ObjectIdentifier(keys[thread][index])) { _ in
            Leaf(state: 1)
          }
        }
      }
    },
    .override: .prepared { threads, _ in
      let container = MutexDictionary()
      let keys = (0..<threads).map { _ in Left() }
      return { thread, count in
        let key = ObjectIdentifier(keys[thread])
        for _ in 0..<count { container.register(Leaf.self, for: key) { _ in Leaf(state: 1) } }
      }
    },
  ]
}

private func registerProducts(in container: MutexDictionary) {
  container.register(singleton: Service.self) { _ in Service() }
  container.provide(Settings(width: 80, height: 24))
  container.register(Leaf.self) { _ in Leaf(state: 1) }
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
