// SPDX-License-Identifier: MIT

import Baselines
import BenchmarkSupport

/// The operations with a dictionary in an actor, asked by tasks.
func actorWorkloads() async throws -> Workloads {
  let container = ActorContainer()
  await registerProducts(in: container)
  let alive = try await container.resolve(Service.self, name: weakName)

  return [
    .singleton: .tasks { _, count in
      for _ in 0..<count { blackHole(try await container.resolve(Service.self)) }
    },
    .storedName: .tasks { _, count in
      for _ in 0..<count { blackHole(try await container.resolve(Service.self, name: serviceName)) }
    },
    .literalName: .tasks { _, count in
      for _ in 0..<count { blackHole(try await container.resolve(Service.self, name: "primary")) }
    },
    .valueSingleton: .tasks { _, count in
      for _ in 0..<count { blackHole(try await container.resolve(Settings.self)) }
    },
    .transient: .tasks { _, count in
      for _ in 0..<count { blackHole(try await container.resolve(Leaf.self)) }
    },
    .combined: .tasks { _, count in
      for _ in 0..<count { blackHole(try await container.resolve(Combined.self)) }
    },
    .complex: .tasks { _, count in
      for _ in 0..<count { blackHole(try await container.resolve(Complex.self)) }
    },
    .argument: .tasks { _, count in
      for index in 0..<count { blackHole(try await container.resolve(Leaf.self, argument: index)) }
    },
    .weak: .tasks { _, count in
      for _ in 0..<count { blackHole(try await container.resolve(Service.self, name: weakName)) }
      blackHole(alive)
    },
    .miss: .tasks { _, count in
      for _ in 0..<count { blackHole(await container.resolveIfRegistered(Unregistered.self)) }
    },
    .override: .tasks { task, count in
      let name = "\(task)"
      for _ in 0..<count {
        await container.register(Leaf.self, name: name) { _ in Leaf(state: 1) }
      }
    },
  ]
}

private func registerProducts(in container: ActorContainer) async {
  await container.register(Service.self, scope: .singleton) { _ in Service() }
  await container.register(Service.self, name: serviceName, scope: .singleton) { _ in Service() }
  await container.register(Service.self, name: weakName, scope: .weak) { _ in Service() }
  await container.register(Settings.self, scope: .singleton) { _ in Settings(width: 80, height: 24)
  }
  await container.register(Leaf.self) { _ in Leaf(state: 1) }
  await container.register(Leaf.self, argument: Int.self) { _, state in Leaf(state: state) }
  await container.register(Left.self) { _ in Left() }
  await container.register(Right.self) { _ in Right() }
  await container.register(OtherLeft.self) { _ in OtherLeft() }
  await container.register(OtherRight.self) { _ in OtherRight() }
  await container.register(Combined.self) {
    Combined(try await $0.resolve(Left.self), try await $0.resolve(Right.self))
  }
  await container.register(FirstBranch.self) {
    FirstBranch(try await $0.resolve(Left.self), try await $0.resolve(Right.self))
  }
  await container.register(SecondBranch.self) {
    SecondBranch(try await $0.resolve(OtherLeft.self), try await $0.resolve(OtherRight.self))
  }
  await container.register(Complex.self) {
    Complex(try await $0.resolve(FirstBranch.self), try await $0.resolve(SecondBranch.self))
  }
}
