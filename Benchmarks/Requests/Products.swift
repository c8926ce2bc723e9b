// SPDX-License-Identifier: MIT

import BenchmarkSupport

/// The two inputs of a request.
struct RequestID: Sendable {
  let value: Int
}

struct Caller: Sendable {
  let value: Int
}

/// The services that all requests share.
final class Service: Sendable {
  let state = 1
}

/// The session of one request, closed at the request's end.
final class Session: Sendable {
  let id: RequestID

  init(_ id: RequestID) {
    self.id = id
  }

  func close() {
    blackHole(self)
  }
}

/// The state of one request.
final class Basket: Sendable {
  let caller: Caller

  init(_ caller: Caller) {
    self.caller = caller
  }
}

/// The handler of a request.
final class Handler {
  let session: Session
  let basket: Basket
  let service: Service

  init(_ session: Session, _ basket: Basket, _ service: Service) {
    self.session = session
    self.basket = basket
    self.service = service
  }

  @inline(never)
  func handle() -> Int {
    session.id.value &+ basket.caller.value &+ service.state
  }
}
