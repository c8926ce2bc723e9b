// SPDX-License-Identifier: MIT

import BenchmarkSupport
import Corinth

/// What is counted.
enum Operation: String, CaseIterable, Codable, Sendable {
  case singleton
  case existential = "singleton, an existential"
  case storedName = "singleton, stored name"
  case withResolved
  case provider = "provider call on a value"
  case transient
  case argument = "transient, 1 argument"
  case combined = "combined, 2 dependencies"
  case complex = "complex, 6 dependencies"
  case scopedHit = "scoped, already there"
  case requestScope = "scope: make, resolve, close"
  case graph = "graph of 6"
  case wired = "using: of 6 singletons"
  case wiredByHand = "6 singletons by hand"
  case resolveAll = "resolveAll of 10 singletons"
  case lazy = "Lazy: resolve and first use"
  case missing = "resolve of a missing key"
  case decorated = "decorated singleton"
  case frozen = "frozen, singleton"
  case frozenName = "frozen, stored name"
  case frozenTransient = "frozen, transient"
  case fork = "fork of 1,000, one override"
  case ifRegistered = "if registered, singleton"
  case ifRegisteredNamed = "if registered, stored name"
  case ifRegisteredTransient = "if registered, transient"
  case ifRegisteredMiss = "if registered, a miss"
  case ifRegisteredMissNamed = "if registered, a named miss"
  case injected = "injected property, later access"
  case directTransient = "direct init"
  case directCombined = "direct combined"
  case directComplex = "direct complex"
  case directProperty = "direct stored property"

  /// The operation as hand-written code performs it, where the budget is a ratio to that.
  var direct: Operation? {
    switch self {
    case .transient: .directTransient
    case .argument: .directTransient
    case .combined: .directCombined
    case .complex: .directComplex
    case .wired: .wiredByHand
    case .injected: .directProperty
    default: nil
    }
  }
}

extension Operation {
  /// Repeats the operation as often as it is told.
  typealias Loop = (_ count: Int) throws -> Void

  /// The operation in a container that holds nothing else, so that other keys' places in its slot
  /// cache have no influence.
  func makeLoop() throws -> Loop {
    let container = Container()
    switch self {
    case .singleton:
      try container.register(Service.self) { _ in Service() }.asSingleton()
      return { count in
        for _ in 0..<count { blackHole(try container.resolve(Service.self)) }
      }
    case .existential:
      try container.register((any ServiceProtocol).self) { _ in Service() }.asSingleton()
      return { count in
        for _ in 0..<count { blackHole(try container.resolve((any ServiceProtocol).self)) }
      }
    case .storedName:
      try container.register(Service.self, name: .primary) { _ in Service() }
        .asSingleton()
      return { count in
        for _ in 0..<count { blackHole(try container.resolve(Service.self, name: .primary)) }
      }
    case .withResolved:
      try container.register(Service.self) { _ in Service() }.asSingleton()
      return { count in
        for _ in 0..<count {
          try container.withResolved(Service.self) { blackHole($0.state) }
        }
      }
    case .provider:
      try container.register(Settings.self) { _ in Settings(width: 80, height: 24) }.asSingleton()
      let provider = try container.provider(for: Settings.self)
      return { count in
        for _ in 0..<count { blackHole(try provider()) }
      }
    case .transient:
      try container.register(Leaf.self) { _ in Leaf(state: 1) }
      return { count in
        for _ in 0..<count { blackHole(try container.resolve(Leaf.self)) }
      }
    case .argument:
      try container.register(Leaf.self) { (_, state: Int) in Leaf(state: state) }
      return { count in
        for index in 0..<count { blackHole(try container.resolve(Leaf.self, arguments: index)) }
      }
    case .combined:
      try container.registerCombined()
      return { count in
        for _ in 0..<count { blackHole(try container.resolve(Combined.self)) }
      }
    case .complex:
      try container.registerComplex()
      return { count in
        for _ in 0..<count { blackHole(try container.resolve(Complex.self)) }
      }
    case .scopedHit, .requestScope, .graph:
      return try makeScopeLoop(container)
    case .wired, .wiredByHand, .resolveAll, .lazy, .missing:
      return try makeWiringLoop(container)
    case .ifRegistered, .ifRegisteredNamed, .ifRegisteredTransient, .ifRegisteredMiss,
      .ifRegisteredMissNamed, .injected, .directProperty:
      return try makeLookupLoop(container)
    case .decorated, .frozen, .frozenName, .frozenTransient, .fork:
      return try makeCompositionLoop(container)
    case .directTransient:
      return { count in
        for _ in 0..<count { blackHole(Leaf(state: 1)) }
      }
    case .directCombined:
      return { count in
        for _ in 0..<count { blackHole(Combined(Left(), Right())) }
      }
    case .directComplex:
      return { count in
        for _ in 0..<count {
          blackHole(
            Complex(FirstBranch(Left(), Right()), SecondBranch(OtherLeft(), OtherRight())))
        }
      }
    }
  }
}
