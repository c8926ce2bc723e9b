// SPDX-License-Identifier: MIT

import Baselines
public import BenchmarkSupport
import Corinth

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
  public static func corinth() throws -> Requests {
    let container = Container()
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

  /// With a dictionary behind a mutex for what is shared, and another one for each request, whose
  /// instances are built where they are asked for: without an order of disposal, without a search
  /// for cycles, and with two instances where two threads are first.
  public static func mutex() throws -> Requests {
    let container = MutexContainer()
    let registerService: @Sendable () -> Void = {
      container.register(Service.self, scope: .singleton) { _ in Service() }
    }
    registerService()
    return Requests(
      serve: { number in
        let scope = MutexScope(parent: container, capacity: 4)
        scope.provide(RequestID(value: number))
        scope.provide(Caller(value: number))
        let handler = Handler(
          try scope.resolveScoped(Session.self, dispose: { $0.close() }) {
            Session(try scope.provided(RequestID.self))
          },
          try scope.resolveScoped(Basket.self) { Basket(try scope.provided(Caller.self)) },
          try container.resolve(Service.self))
        blackHole(handler.handle())
        scope.close()
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
