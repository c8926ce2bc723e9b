// SPDX-License-Identifier: MIT

import BenchmarkSupport
import Corinth
import Requests

/// Scopes that are made and closed, and children.
func scopeWorkloads() throws -> Workloads {
  let container = Container()
  try container.register(Service.self, scope: .singleton) { _ in Service() }
  try container.register(Leaf.self, scope: .scoped) { _ in Leaf(state: 1) }
  try container.register(Left.self, scope: .scoped) { _ in Left() }
  try container.register(Right.self, scope: .scoped, with: .onDispose { blackHole($0) }) { _ in
    Right()
  }
  try container.registerInput(Int.self)
  try container.registerInput(Settings.self)
  blackHole(try container.resolve(Service.self))

  return [
    .request: .loop(try Requests.corinth().loop),
    .observedRequest: .loop(try Requests.observed().loop),
    .untimedRequest: .loop(try Requests.observed(measuringTimes: false).loop),
    .child: .loop { _, count in
      for _ in 0..<count {
        let child = Container(parent: container)
        blackHole(try child.resolve(Service.self))
      }
    },
    .requestScope: .loop { _, count in
      for _ in 0..<count {
        let scope = container.makeScope()
        blackHole(try scope.resolve(Leaf.self))
        try scope.syncClose()
      }
    },
    .scopeOfTwo: .loop { _, count in
      for _ in 0..<count {
        let scope = container.makeScope()
        blackHole(try scope.resolve(Leaf.self))
        blackHole(try scope.resolve(Left.self))
        try scope.syncClose()
      }
    },
    .disposingScope: .loop { _, count in
      for _ in 0..<count {
        let scope = container.makeScope()
        blackHole(try scope.resolve(Right.self))
        try scope.syncClose()
      }
    },
    .scopedAndInputs: .loop { _, count in
      for number in 0..<count {
        let scope = container.makeScope(providing: number, Settings(width: 80, height: 24))
        blackHole(try scope.resolve(Leaf.self))
        try scope.syncClose()
      }
    },
    .withScopeSync: .tasks { _, count in
      for _ in 0..<count {
        try await container.withScope { scope in blackHole(try scope.resolve(Leaf.self)) }
      }
    },
    .withScope: .tasks { _, count in
      for _ in 0..<count {
        try await container.withScope { scope in
          blackHole(try await scope.resolveAsync(Leaf.self))
        }
      }
    },
    .scopedHit: .loop { _, count in
      let scope = container.makeScope()
      for _ in 0..<count { blackHole(try scope.resolve(Leaf.self)) }
      try scope.syncClose()
    },
  ]
}

/// A handler of two instances of its scope and of a singleton.
func handlerWorkloads() throws -> Workloads {
  let container = Container()
  try container.register(Service.self, scope: .singleton) { _ in Service() }
  try container.register(Leaf.self, scope: .scoped) { _ in Leaf(state: 1) }
  try container.register(Left.self, scope: .scoped) { _ in Left() }
  try container.register(Handler.self) {
    Handler(try $0.resolve(), try $0.resolve(), try $0.resolve())
  }

  return [
    .handler: .loop { _, count in
      for _ in 0..<count {
        let scope = container.makeScope()
        blackHole(try scope.resolve(Handler.self))
        try scope.syncClose()
      }
    },
    .warmHandler: .loop { _, count in
      let scope = container.makeScope()
      for _ in 0..<count { blackHole(try scope.resolve(Handler.self)) }
      try scope.syncClose()
    },
  ]
}

/// Children and containers that register before they resolve.
func registeringWorkloads() throws -> Workloads {
  let container = Container()
  try container.register(Service.self, scope: .singleton) { _ in Service() }
  let names = textNames.map { Name($0) }

  return [
    .childRegistering: .loop { _, count in
      for _ in 0..<count {
        let child = Container(parent: container)
        try child.register(Leaf.self) { _ in Leaf(state: 1) }
        blackHole(try child.resolve(Leaf.self))
      }
    },
    .registeringThousand: .loop { _, count in
      for _ in 0..<count {
        let container = Container()
        for name in names {
          try container.register(Leaf.self, name: name, scope: .singleton) { _ in Leaf(state: 1) }
        }
        for name in names { blackHole(try container.resolve(Leaf.self, name: name)) }
      }
    },
  ]
}
