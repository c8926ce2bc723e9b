// SPDX-License-Identifier: MIT

import BenchmarkSupport
import Corinth

extension Operation {
  /// The loop of a resolve with a name. The function called in it makes one resolve: a loop would
  /// make or copy the name once.
  func makeNameLoop(_ container: Container) throws -> Loop {
    let name = Name("primary")
    switch self {
    case .localName:
      try container.register(Service.self, name: name, scope: .singleton) { _ in Service() }
      return { count in
        for _ in 0..<count { blackHole(try container.service(named: name)) }
      }
    case .staticName:
      try container.register(Service.self, name: name, scope: .singleton) { _ in Service() }
      return { count in
        for _ in 0..<count { blackHole(try container.serviceByStaticName()) }
      }
    case .literalName:
      try container.register(Service.self, name: name, scope: .singleton) { _ in Service() }
      return { count in
        for _ in 0..<count { blackHole(try container.serviceByLiteral()) }
      }
    case .longLiteralName:
      try container.register(Service.self, name: "the primary service", scope: .singleton) { _ in
        Service()
      }
      return { count in
        for _ in 0..<count { blackHole(try container.serviceByLongLiteral()) }
      }
    case .namedTransient:
      try container.register(Leaf.self, name: .primary) { _ in Leaf(state: 1) }
      return { count in
        for _ in 0..<count { blackHole(try container.resolve(Leaf.self, name: .primary)) }
      }
    case .sixNamed:
      try container.registerLeaves()
      try container.register(Six.self) {
        Six(
          try $0.resolve(Leaf.self, name: .first), try $0.resolve(Leaf.self, name: .second),
          try $0.resolve(Leaf.self, name: .third), try $0.resolve(Leaf.self, name: .fourth),
          try $0.resolve(Leaf.self, name: .fifth), try $0.resolve(Leaf.self, name: .sixth))
      }
      return { count in
        for _ in 0..<count { blackHole(try container.resolve(Six.self)) }
      }
    case .sixLiterals:
      try container.registerLeaves()
      try container.register(Six.self) {
        Six(
          try $0.resolve(Leaf.self, name: "first"), try $0.resolve(Leaf.self, name: "second"),
          try $0.resolve(Leaf.self, name: "third"), try $0.resolve(Leaf.self, name: "fourth"),
          try $0.resolve(Leaf.self, name: "fifth"), try $0.resolve(Leaf.self, name: "sixth"))
      }
      return { count in
        for _ in 0..<count { blackHole(try container.resolve(Six.self)) }
      }
    case .directSix:
      return { count in
        for _ in 0..<count {
          blackHole(
            Six(
              Leaf(state: 1), Leaf(state: 2), Leaf(state: 3), Leaf(state: 4), Leaf(state: 5),
              Leaf(state: 6)))
        }
      }
    default:
      try container.register(Service.self, name: Name(AnyHashable("primary")), scope: .singleton) {
        _ in Service()
      }
      return { count in
        for _ in 0..<count {
          blackHole(try container.resolve(Service.self, name: Name(AnyHashable("primary"))))
        }
      }
    }
  }
}

extension Container {
  @inline(never)
  fileprivate func service(named name: borrowing Name) throws -> Service {
    try resolve(Service.self, name: name)
  }

  @inline(never)
  fileprivate func serviceByStaticName() throws -> Service {
    try resolve(Service.self, name: .primary)
  }

  @inline(never)
  fileprivate func serviceByLiteral() throws -> Service {
    try resolve(Service.self, name: "primary")
  }

  @inline(never)
  fileprivate func serviceByLongLiteral() throws -> Service {
    try resolve(Service.self, name: "the primary service")
  }

  /// Six registrations of one type, distinguished by names.
  fileprivate func registerLeaves() throws {
    let names: [Name] = [.first, .second, .third, .fourth, .fifth, .sixth]
    for (index, name) in names.enumerated() {
      try register(Leaf.self, name: name) { _ in Leaf(state: index) }
    }
  }
}

extension Name {
  fileprivate static let first: Name = "first"
  fileprivate static let second: Name = "second"
  fileprivate static let third: Name = "third"
  fileprivate static let fourth: Name = "fourth"
  fileprivate static let fifth: Name = "fifth"
  fileprivate static let sixth: Name = "sixth"
}

/// Six dependencies of one type.
private final class Six: Sendable {
  let leaves: (Leaf, Leaf, Leaf, Leaf, Leaf, Leaf)

  init(
    _ first: Leaf, _ second: Leaf, _ third: Leaf, _ fourth: Leaf, _ fifth: Leaf, _ sixth: Leaf
  ) {
    leaves = (first, second, third, fourth, fifth, sixth)
  }
}
