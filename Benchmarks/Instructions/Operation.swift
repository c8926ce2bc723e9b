// SPDX-License-Identifier: MIT

import BenchmarkSupport
import Corinth
import Requests

/// The counted operations.
enum Operation: String, CaseIterable, Codable, Sendable {
  case request = "request: 2 inputs, 2 scoped, 1 singleton"
  case observedRequest = "the same, observed"
  case untimedRequest = "the same, observed without times"
  case mutexRequestByHand = "the same, a dictionary, built by the caller"
  case directRequest = "the same, direct"
  case singleton
  case existential = "singleton, an existential"
  case storedName = "singleton, stored name"
  case localName = "singleton, a name of the caller's"
  case staticName = "singleton, static name"
  case literalName = "singleton, short literal"
  case longLiteralName = "singleton, long literal"
  case loopKey = "singleton, a key in a static let"
  case typeInFunction = "singleton, in a function"
  case keyInFunction = "the same, a key in a static let"
  case localKey = "the same, a key of the caller's"
  case withResolved
  case provider = "provider call on a value"
  case transient
  case argument = "transient, 1 argument"
  case combined = "combined, 2 dependencies"
  case complex = "complex, 6 dependencies"
  case scopedHit = "scoped, already there"
  case requestScope = "scope: make, resolve, close"
  case emptyScope = "scope: make, close"
  case disposingScope = "scope: make, resolve, dispose"
  case handler = "scope: handler of 2 scoped, 1 singleton"
  case warmHandler = "the same, scope warm"
  case scopeOf16 = "scope of 16: make, resolve all, close"
  case scopeOf48 = "scope of 48: make, resolve all, close"
  case scopeOf300 = "scope of 300: make, resolve all, close"
  case scopedAndInputs = "scope with 2 inputs: make, resolve, close"
  case inputsTwo = "scope with 2 inputs"
  case inputsSix = "scope with 6 inputs"
  case registeredTwo = "scope with 2 values registered"
  case registeredSix = "scope with 6 values registered"
  case registering = "register a fresh key"
  case overriding = "override, 1 of 1,000"
  case childRegistering = "child: make, register, resolve"
  case registeringThousand = "each of 1,000 registered and resolved"
  case graph = "graph of 6"
  case cached = "cached, not expired"
  case argumentHit = "singleton of an argument"
  case asyncSingleton = "resolveAsync, singleton"
  case asyncTransient = "resolveAsync, transient"
  case asyncScopedHit = "resolveAsync, scoped, already there"
  case asyncFactory = "resolveAsync, async factory"
  case asyncScopeSync = "withScope, synchronous resolve"
  case asyncScope = "withScope, asynchronous resolve"
  case wired = "using: of 6 singletons"
  case wiredByHand = "6 singletons by hand"
  case resolveAll = "resolveAll of 10 singletons"
  case collection = "array of 2 singletons"
  case lazy = "Lazy: resolve and first use"
  case missing = "resolve of a missing key"
  case missAmongTypes1000 = "miss, 1,000 keys of 100 types"
  case missAmongTypes100000 = "miss, 100,000 keys of 100 types"
  case missAmongNames1000 = "miss, 1,000 names of a type"
  case missAmongNames100000 = "miss, 100,000 names of a type"
  case describedAmongTypes1000 = "text of a miss, 1,000 keys of 100 types"
  case describedAmongTypes100000 = "text of a miss, 100,000 keys of 100 types"
  case describedAmongNames1000 = "text of a miss, 1,000 names of a type"
  case describedAmongNames100000 = "text of a miss, 100,000 names of a type"
  case decorated = "decorated singleton"
  case observed = "transient, constructions counted"
  case fork = "fork of 1,000, one override"
  case ifRegistered = "if registered, singleton"
  case ifRegisteredNamed = "if registered, stored name"
  case ifRegisteredTransient = "if registered, transient"
  case ifRegisteredMiss = "if registered, a miss"
  case ifRegisteredMissNamed = "if registered, a named miss"
  case injected = "injected property, later access"
  case firstAccess = "injected property, first access"
  case namedTransient = "transient, stored name"
  case hashableName = "singleton, name of any Hashable"
  case sixNamed = "factory of 6 static names"
  case sixLiterals = "factory of 6 short literals"
  case graphOfTwo = "graph of 2"
  case graphBesideBehaviors = "graph of 6, another container has behaviors"
  case requestBesideBehaviors = "the request, another container has behaviors"
  case trackedTransient = "transient beside a graph"
  case macaroniResolve = "Macaroni: resolve"
  case macaroniOptional = "Macaroni: resolve into an optional, locked"
  case macaroniAlternative = "Macaroni: alternative"
  case macaroniMiss = "Macaroni: a miss"
  case macaroniFirstAccess = "Macaroni: @Injected, first access"
  case macaroniInjected = "Macaroni: @Injected, later access"
  case fusionSingleton = "Fusion: singleton"
  case fusionID = "Fusion: singleton with an id"
  case fusionTransient = "Fusion: transient"
  case fusionMiss = "Fusion: a miss"
  case fusionInject = "Fusion: @Inject, each access"
  case swiftInjectionsPrototype = "SwiftInjections: prototype"
  case swiftInjectionsSingleton = "SwiftInjections: singleton"
  case swiftInjectionsGraph = "SwiftInjections: graph of 2"
  case dicSingleton = "DIC: singleton"
  case dicPlain = "DIC: built at each load"
  case dicMiss = "DIC: a miss"
  case dicImmutable = "DIC: singleton, immutable container"
  case swinjectContainer = "Swinject: container scope"
  case swinjectNamed = "Swinject: container scope, a name"
  case swinjectTransient = "Swinject: transient"
  case swinjectGraph = "Swinject: graph of 2"
  case swinjectArgument = "Swinject: transient with an argument"
  case swinjectMiss = "Swinject: a miss"
  case directTransient = "direct init"
  case directCombined = "direct combined"
  case directComplex = "direct complex"
  case directSix = "direct init of 6"
  case directProperty = "direct stored property"
  case dictionaryTransient = "dictionary of closures with a lock, one that builds"
  case dictionarySingleton = "dictionary of closures with a lock, one that returns"
  case mutexRequest = "Mutex: request"
  case mutexSingleton = "Mutex: singleton"
  case mutexTransient = "Mutex: transient"
  case mutexCombined = "Mutex: combined"
  case mutexComplex = "Mutex: complex"
  case mutexScopedHit = "Mutex: scoped, already there"
  case mutexScope = "Mutex: scope"
  case mutexHandler = "Mutex: handler"
  case mutexWarmHandler = "Mutex: handler, scope warm"
  case mutexInputs = "Mutex: scope with 2 inputs"
  case mutexRegistering = "Mutex: register"
  case mutexOverriding = "Mutex: override"
  case mutexChild = "Mutex: child"
  case mutexThousand = "Mutex: each of 1,000"
  case mutexAsyncTransient = "Mutex: async transient"
  case mutexAsyncFactory = "Mutex: async factory"
  case mutexAsyncScopeSync = "Mutex: scope in a task"
  case mutexAsyncScope = "Mutex: scope, asynchronous resolve"
  case mutexIfRegistered = "Mutex: if registered"
  case mutexIfRegisteredMiss = "Mutex: if registered, a miss"

  /// The operation as hand-written code performs it, or for a compatibility module as the core
  /// does, where the budget is a ratio to that.
  var direct: Operation? {
    switch self {
    case .request, .requestBesideBehaviors: .mutexRequest
    case .graph, .graphBesideBehaviors: .directComplex
    case .scopeOf48, .scopeOf300: .scopeOf16
    case .transient, .asyncTransient: .directTransient
    case .argument: .directTransient
    case .combined: .directCombined
    case .complex: .directComplex
    case .wired: .wiredByHand
    case .sixNamed, .sixLiterals: .directSix
    case .injected: .directProperty
    case .fusionSingleton, .dicSingleton, .dicImmutable, .swiftInjectionsSingleton: .singleton
    case .macaroniResolve, .fusionTransient, .dicPlain, .swiftInjectionsPrototype: .transient
    case .macaroniAlternative: .namedTransient
    case .fusionID: .hashableName
    case .macaroniMiss: .missing
    case .fusionMiss, .dicMiss: .ifRegisteredMiss
    case .macaroniFirstAccess: .firstAccess
    case .macaroniInjected: .injected
    case .fusionInject: .singleton
    case .swiftInjectionsGraph, .swinjectGraph: .graphOfTwo
    case .swinjectContainer: .singleton
    case .swinjectNamed: .storedName
    case .swinjectTransient: .transient
    case .swinjectArgument: .argument
    case .swinjectMiss: .ifRegisteredMiss
    default: nil
    }
  }
}

extension Operation {
  /// Repeats the operation as often as it is told.
  typealias Loop = (_ count: Int) throws -> Void

  /// The operation in a container without other keys, whose places in the slot cache would have an
  /// influence.
  func makeLoop() throws -> Loop {
    let container = Container()
    switch self {
    case .singleton:
      try container.register(Service.self, scope: .singleton) { _ in Service() }
      return { count in
        for _ in 0..<count { blackHole(try container.resolve(Service.self)) }
      }
    case .existential:
      try container.register((any ServiceProtocol).self, scope: .singleton) { _ in Service() }
      return { count in
        for _ in 0..<count { blackHole(try container.resolve((any ServiceProtocol).self)) }
      }
    case .storedName:
      try container.register(Service.self, name: .primary, scope: .singleton) { _ in Service() }
      return { count in
        for _ in 0..<count { blackHole(try container.resolve(Service.self, name: .primary)) }
      }
    case .withResolved:
      try container.register(Service.self, scope: .singleton) { _ in Service() }
      return { count in
        for _ in 0..<count {
          try container.withResolved(Service.self) { blackHole($0.state) }
        }
      }
    case .provider:
      try container.register(Settings.self, scope: .singleton) { _ in
        Settings(width: 80, height: 24)
      }
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
    case .localName, .staticName, .literalName, .longLiteralName, .namedTransient, .hashableName,
      .sixNamed, .sixLiterals, .directSix:
      return try makeNameLoop(container)
    case .loopKey, .typeInFunction, .keyInFunction, .localKey: return try makeKeyLoop(container)
    case .emptyScope, .scopedAndInputs, .inputsTwo, .inputsSix, .registeredTwo, .registeredSix:
      return try makeInputLoop(container)
    case .registering, .overriding, .childRegistering, .registeringThousand:
      return try makeRegisteringLoop(container)
    case .request: return inOneThread(try Requests.corinth().loop)
    case .requestBesideBehaviors:
      Container().add(MetricsBehavior())
      return inOneThread(try Requests.corinth().loop)
    case .observedRequest: return inOneThread(try Requests.observed().loop)
    case .untimedRequest:
      return inOneThread(try Requests.observed(measuringTimes: false).loop)
    case .mutexRequestByHand: return inOneThread(try Requests.mutexByHand().loop)
    case .directRequest: return inOneThread(Requests.direct().loop)
    case .cached, .argumentHit:
      return try makeKeptLoop(container)
    case .asyncSingleton, .asyncTransient, .asyncScopedHit, .asyncFactory, .asyncScopeSync,
      .asyncScope:
      return try makeAsyncLoop(container)
    case .scopedHit, .requestScope, .disposingScope, .handler, .warmHandler, .scopeOf16, .scopeOf48,
      .scopeOf300,
      .graph, .graphBesideBehaviors, .graphOfTwo, .trackedTransient:
      return try makeScopeLoop(container)
    case .macaroniResolve, .macaroniOptional, .macaroniAlternative, .macaroniMiss,
      .macaroniFirstAccess,
      .macaroniInjected:
      return makeMacaroniLoop()
    case .fusionSingleton, .fusionID, .fusionTransient, .fusionMiss, .fusionInject:
      return makeFusionLoop()
    case .swiftInjectionsPrototype, .swiftInjectionsSingleton, .swiftInjectionsGraph:
      return makeSwiftInjectionsLoop()
    case .dicSingleton, .dicPlain, .dicMiss, .dicImmutable:
      return makeDICLoop()
    case .dictionaryTransient, .dictionarySingleton:
      return makeClosureDictionaryLoop()
    case .swinjectContainer, .swinjectNamed, .swinjectTransient, .swinjectGraph, .swinjectArgument,
      .swinjectMiss:
      return makeSwinjectLoop()
    case .wired, .wiredByHand, .resolveAll, .collection, .lazy, .missing:
      return try makeWiringLoop(container)
    case .missAmongTypes1000, .missAmongTypes100000, .missAmongNames1000, .missAmongNames100000,
      .describedAmongTypes1000, .describedAmongTypes100000, .describedAmongNames1000,
      .describedAmongNames100000:
      return try makeMissLoop(container)
    case .ifRegistered, .ifRegisteredNamed, .ifRegisteredTransient, .ifRegisteredMiss,
      .ifRegisteredMissNamed, .injected, .firstAccess, .directProperty:
      return try makeLookupLoop(container)
    case .observed, .decorated, .fork:
      return try makeCompositionLoop(container)
    case .mutexRequest, .mutexSingleton, .mutexTransient, .mutexCombined, .mutexComplex,
      .mutexScopedHit, .mutexScope, .mutexHandler, .mutexWarmHandler, .mutexInputs,
      .mutexRegistering, .mutexOverriding, .mutexChild, .mutexThousand, .mutexAsyncTransient,
      .mutexAsyncFactory, .mutexAsyncScopeSync, .mutexAsyncScope, .mutexIfRegistered,
      .mutexIfRegisteredMiss:
      return try makeMutexLoop()
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

private func inOneThread(_ loop: @escaping BenchmarkSupport.Loop) -> Operation.Loop {
  { count in try loop(0, count) }
}
