// SPDX-License-Identifier: MIT

import BenchmarkSupport
import Corinth

extension Name {
  fileprivate static let primary: Name = "primary"
}

/// The operations with Corinth, used as clients use Corinth.
func corinthWorkloads() async throws -> Workloads {
  var workloads = try await asynchronousWorkloads()
  for others in [
    try graphWorkloads(), try scopeWorkloads(), try handlerWorkloads(),
    try registeringWorkloads(), try keptWorkloads(), try compositionWorkloads(),
    try wiringWorkloads(),
  ] {
    workloads.merge(others) { first, _ in first }
  }
  return workloads
}

private func asynchronousWorkloads() async throws -> Workloads {
  let container = Container()
  try container.registerAsync(Service.self, scope: .singleton) { _ in Service() }
  try container.registerAsync(Service.self, name: .primary, scope: .singleton) { _ in Service() }
  try container.register(Left.self) { _ in Left() }
  try container.registerAsync(Right.self) { _ in Right() }
  // Ready before they are measured.
  blackHole(try await container.resolveAsync(Service.self))
  blackHole(try await container.resolveAsync(Service.self, name: .primary))

  return [
    .singleton: .loop { _, count in
      for _ in 0..<count { blackHole(try container.resolve(Service.self)) }
    },
    .asyncSingleton: .tasks { _, count in
      for _ in 0..<count { blackHole(try await container.resolveAsync(Service.self)) }
    },
    .asyncStoredName: .tasks { _, count in
      for _ in 0..<count {
        blackHole(try await container.resolveAsync(Service.self, name: .primary))
      }
    },
    .asyncTransient: .tasks { _, count in
      for _ in 0..<count { blackHole(try await container.resolveAsync(Left.self)) }
    },
    .asyncFactory: .tasks { _, count in
      for _ in 0..<count { blackHole(try await container.resolveAsync(Right.self)) }
    },
  ]
}

/// In separate containers, since the registrations change the cost of transients beside them.
private func graphWorkloads() throws -> Workloads {
  let container = Container()
  try container.register(Leaf.self) { _ in Leaf(state: 1) }
  try container.register(Left.self, scope: .graph) { _ in Left() }
  try container.register(Right.self, scope: .graph) { _ in Right() }
  try container.register(OtherLeft.self, scope: .graph) { _ in OtherLeft() }
  try container.register(OtherRight.self, scope: .graph) { _ in OtherRight() }
  try container.register(FirstBranch.self, scope: .graph) {
    FirstBranch(try $0.resolve(Left.self), try $0.resolve(Right.self))
  }
  try container.register(SecondBranch.self, scope: .graph) {
    SecondBranch(try $0.resolve(OtherLeft.self), try $0.resolve(OtherRight.self))
  }
  try container.register(Complex.self) {
    Complex(try $0.resolve(FirstBranch.self), try $0.resolve(SecondBranch.self))
  }

  return [
    .graph: .loop { _, count in
      for _ in 0..<count { blackHole(try container.resolve(Complex.self)) }
    },
    .trackedTransient: .loop { _, count in
      for _ in 0..<count { blackHole(try container.resolve(Leaf.self)) }
    },
  ]
}

private func keptWorkloads() throws -> Workloads {
  let container = Container()
  try container.register(Service.self, scope: .cached(for: .seconds(3600))) { _ in Service() }
  try container.register(Leaf.self, scope: .singleton) { (_, state: Int) in Leaf(state: state) }
  blackHole(try container.resolve(Service.self))

  return [
    .cached: .loop { _, count in
      for _ in 0..<count { blackHole(try container.resolve(Service.self)) }
    },
    .injected: .loop { _, count in
      let owner = Owner(container)
      for _ in 0..<count { blackHole(owner.service) }
    },
    // A separate argument for every thread: a shared argument would measure the count of
    // references.
    .argumentSingleton: .loop { thread, count in
      for _ in 0..<count { blackHole(try container.resolve(Leaf.self, arguments: thread)) }
    },
  ]
}

private final class Owner {
  @Injected var service: Service

  init(_ container: Container) {
    _service = Injected(from: .container(container))
  }
}
