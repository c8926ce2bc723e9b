// SPDX-License-Identifier: MIT

import Baselines
public import BenchmarkSupport
public import Corinth

/// The work of a server for every request: a scope with two inputs; a handler of a singleton and
/// two instances of the scope, the first with a disposer; and the scope's end.
///
/// ## Concurrency
/// Safe to use from any thread.
public struct Requests: Sendable {
  /// Serves one request.
  public let serve: @Sendable (_ number: Int) throws -> Void
  /// Replaces the registration of the singleton; does nothing without a container.
  public let override: @Sendable () throws -> Void

  /// Serves as many requests as it is told.
  public var loop: Loop {
    { [serve] _, count in
      for number in 0..<count { try serve(number) }
    }
  }

  /// As clients of Corinth write it.
  ///
  /// - Parameter behaviors: the behaviors of the container.
  public static func corinth(behaviors: [any Behavior] = []) throws -> Requests {
    let container = Container()
    for behavior in behaviors { container.add(behavior) }
    let registerService: @Sendable () throws -> Void = {
      try container.register(Service.self, scope: .singleton) { _ in Service() }
    }
    try container.registerInput(RequestID.self)
    try container.registerInput(Caller.self)
    try registerService()
    try container.register(Session.self, scope: .scoped, with: .onDispose { $0.close() }) {
      Session(try $0.resolve())
    }
    try container.register(Basket.self, scope: .scoped) { Basket(try $0.resolve()) }
    try container.register(Handler.self) {
      Handler(try $0.resolve(), try $0.resolve(), try $0.resolve())
    }
    return Requests(
      serve: { number in
        let scope = container.makeScope(
          providing: RequestID(value: number), Caller(value: number))
        blackHole(try scope.resolve(Handler.self).handle())
        try scope.syncClose()
      }, override: registerService)
  }

  /// As `corinth`, watched as the guide recommends: failures and constructions are logged, at a
  /// level that nobody reads, and counted.
  public static func observed(measuringTimes: Bool = true) throws -> Requests {
    try corinth(behaviors: [
      LoggingBehavior(measuresTimes: measuringTimes) { _, _ in },
      MetricsBehavior(countsResolves: false, measuresTimes: measuringTimes),
    ])
  }

  /// With a dictionary behind a mutex for what is shared, and another one for each request: without
  /// disposal, so that the caller closes the session, without a search for cycles, and with two
  /// instances where two threads are first.
  public static func mutex() throws -> Requests {
    let container = MutexDictionary()
    let registerService: @Sendable () -> Void = {
      container.register(singleton: Service.self) { _ in Service() }
    }
    registerService()
    container.register(scoped: Session.self) { Session(try $0.value(RequestID.self)) }
    container.register(scoped: Basket.self) { Basket(try $0.value(Caller.self)) }
    container.register(Handler.self) {
      Handler(
        try $0.resolve(Session.self), try $0.resolve(Basket.self), try $0.resolve(Service.self))
    }
    return Requests(
      serve: { number in
        let scope = MutexDictionary(parent: container, capacity: 4)
        scope.provide(RequestID(value: number))
        scope.provide(Caller(value: number))
        let handler = try scope.resolve(Handler.self)
        blackHole(handler.handle())
        handler.session.close()
      }, override: registerService)
  }

  /// As `mutex`, with factories at their place of use: nothing but the singleton is registered.
  public static func mutexByHand() throws -> Requests {
    let container = MutexDictionary()
    let registerService: @Sendable () -> Void = {
      container.register(singleton: Service.self) { _ in Service() }
    }
    registerService()
    return Requests(
      serve: { number in
        let scope = MutexDictionary(capacity: 4)
        scope.provide(RequestID(value: number))
        scope.provide(Caller(value: number))
        let handler = Handler(
          try scope.resolve(Session.self) { Session(try scope.value(RequestID.self)) },
          try scope.resolve(Basket.self) { Basket(try scope.value(Caller.self)) },
          try container.resolve(Service.self))
        blackHole(handler.handle())
        handler.session.close()
      }, override: registerService)
  }

  /// Without a container.
  public static func direct() -> Requests {
    let service = Service()
    return Requests(
      serve: { number in
        let session = Session(RequestID(value: number))
        let handler = Handler(session, Basket(Caller(value: number)), service)
        blackHole(handler.handle())
        session.close()
      }, override: {})
  }
}
