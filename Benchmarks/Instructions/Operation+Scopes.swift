// SPDX-License-Identifier: MIT

import BenchmarkSupport
import Corinth

extension Operation {
  /// The loop of an operation of note 11's scopes. Apart from the others, which must stay small
  /// enough to be optimized alike.
  func makeScopeLoop(_ container: Container) throws -> Loop {
    switch self {
    case .scopedHit:
      try container.register(Leaf.self, scope: .scoped) { _ in Leaf(state: 1) }
      let scope = container.makeScope()
      return { count in
        for _ in 0..<count { blackHole(try scope.resolve(Leaf.self)) }
      }
    case .requestScope:
      try container.register(Leaf.self, scope: .scoped) { _ in Leaf(state: 1) }
      return { count in
        for _ in 0..<count {
          let scope = container.makeScope()
          blackHole(try scope.resolve(Leaf.self))
          try scope.syncClose()
        }
      }
    case .disposingScope:
      try container.register(Leaf.self, scope: .scoped) { _ in Leaf(state: 1) }
        .onDispose { blackHole($0) }
      return { count in
        for _ in 0..<count {
          let scope = container.makeScope()
          blackHole(try scope.resolve(Leaf.self))
          try scope.syncClose()
        }
      }
    case .warmHandler:
      try container.registerHandler()
      let scope = container.makeScope()
      return { count in
        for _ in 0..<count { blackHole(try scope.resolve(Handler.self)) }
      }
    case .handler:
      try container.registerHandler()
      return { count in
        for _ in 0..<count {
          let scope = container.makeScope()
          blackHole(try scope.resolve(Handler.self))
          try scope.syncClose()
        }
      }
    case .scopeOf16, .scopeOf48, .scopeOf300:
      let count = self == .scopeOf16 ? 16 : self == .scopeOf48 ? 48 : 300
      let names = (0..<count).map { Name($0) }
      for name in names {
        try container.register(Leaf.self, name: name, scope: .scoped) { _ in Leaf(state: 1) }
      }
      return { count in
        for _ in 0..<count {
          let scope = container.makeScope()
          for name in names { blackHole(try scope.resolve(Leaf.self, name: name)) }
          try scope.syncClose()
        }
      }
    case .trackedTransient:
      try container.register(Combined.self, scope: .graph) { _ in Combined(Left(), Right()) }
      try container.register(Leaf.self) { _ in Leaf(state: 1) }
      return { count in
        for _ in 0..<count { blackHole(try container.resolve(Leaf.self)) }
      }
    case .graphOfTwo:
      try container.register(Leaf.self, scope: .graph) { _ in Leaf(state: 1) }
      try container.register(Node.self, scope: .graph) { Node(try $0.resolve(Leaf.self)) }
      return { count in
        for _ in 0..<count { blackHole(try container.resolve(Node.self)) }
      }
    default:
      if self == .graphBesideBehaviors { Container().add(MetricsBehavior()) }
      try container.registerComplex(scope: .graph)
      return { count in
        for _ in 0..<count { blackHole(try container.resolve(Complex.self)) }
      }
    }
  }

  /// The loop of a lookup of note 15, which may find nothing, or of an injected property.
  func makeLookupLoop(_ container: Container) throws -> Loop {
    try container.register(Service.self, scope: .singleton) { _ in Service() }
    switch self {
    case .ifRegistered:
      return { count in
        for _ in 0..<count { blackHole(try container.resolveIfRegistered(Service.self)) }
      }
    case .ifRegisteredNamed:
      try container.register(Service.self, name: .primary, scope: .singleton) { _ in Service() }
      return { count in
        for _ in 0..<count {
          blackHole(try container.resolveIfRegistered(Service.self, name: .primary))
        }
      }
    case .ifRegisteredTransient:
      try container.register(Leaf.self) { _ in Leaf(state: 1) }
      return { count in
        for _ in 0..<count { blackHole(try container.resolveIfRegistered(Leaf.self)) }
      }
    case .ifRegisteredMissNamed:
      return { count in
        for _ in 0..<count {
          blackHole(try container.resolveIfRegistered(Leaf.self, name: .primary))
        }
      }
    case .injected:
      let owner = Owner(container)
      return { count in
        for _ in 0..<count { blackHole(owner.injected) }
      }
    case .firstAccess:
      return { count in
        for _ in 0..<count { blackHole(Owner(container).injected) }
      }
    case .directProperty:
      let owner = Owner(container)
      return { count in
        for _ in 0..<count { blackHole(owner.stored) }
      }
    default:
      return { count in
        for _ in 0..<count { blackHole(try container.resolveIfRegistered(Unregistered.self)) }
      }
    }
  }
}

extension Container {
  fileprivate func registerHandler() throws {
    try register(Service.self, scope: .singleton) { _ in Service() }
    try register(Leaf.self, scope: .scoped) { _ in Leaf(state: 1) }
    try register(Part.self, scope: .scoped) { Part(try $0.resolve(Leaf.self)) }
    try register(Handler.self) {
      Handler(try $0.resolve(Part.self), try $0.resolve(Leaf.self), try $0.resolve(Service.self))
    }
  }
}

/// Not `final` with constants: a property that the optimizer sees through would not be read.
private final class Owner {
  @Injected var injected: Service
  var stored = Service()

  init(_ container: Container) {
    _injected = Injected(from: .container(container))
  }
}

/// The handler of a request.
final class Handler {
  let part: Part
  let leaf: Leaf
  let service: Service

  init(_ part: Part, _ leaf: Leaf, _ service: Service) {
    self.part = part
    self.leaf = leaf
    self.service = service
  }
}

final class Part: Sendable {
  let leaf: Leaf

  init(_ leaf: Leaf) {
    self.leaf = leaf
  }
}
