// SPDX-License-Identifier: MIT
// Handles requests without a server, for Scripts/count-instructions:
//   OrdersRequests by-hand|corinth METHOD PATH COUNT [BODY]

import Corinth
import Dispatch
import Foundation
import HTTP
import HandMadeOrders
import Orders
import Synchronization

typealias Handler = @Sendable (Request) -> Response

/// Makes the handler of the requests of a service, whose objects have been built.
func makeHandler(_ service: String, _ environment: Environment) async throws -> Handler {
  if service == "by-hand" {
    let service = try await Service(environment: environment)
    return RequestPipeline(
      router: service.router, scopes: HandMadeScopes(service: service),
      identifiers: service.identifiers, settings: service.report, json: service.json,
      log: service.log
    ).respond
  }
  let container = try Application.makeContainer(environment: environment)
  try await container.warmUp(validating: true)
  let pipeline = try container.resolve(RequestPipeline<ContainerScopes>.self)
  return { request in withExtendedLifetime(container) { pipeline.respond(to: request) } }
}

/// The counted function, which callgrind finds by its name.
@inline(never)
func countedRun(_ request: Request, _ count: Int, _ handler: Handler) {
  for _ in 0..<count {
    let response = handler(request)
    precondition(response.status < 300, "\(response.status) \(request.method) \(request.path)")
  }
}

func request(_ method: String, _ path: String, _ body: String) -> Request {
  Request(method: method, path: path, headers: [("X-User", "ada")], body: Array(body.utf8))
}

/// Makes the handler for a program whose main thread waits: valgrind does not survive the end of
/// the main thread of an asynchronous program.
func makeHandler(_ service: String) -> Handler? {
  let made = Mutex<Handler?>(nil)
  let isReady = DispatchSemaphore(value: 0)
  Task.detached {
    do {
      let environment = Environment(ProcessInfo.processInfo.environment)
      let handler = try await makeHandler(service, environment)
      made.withLock { $0 = handler }
    } catch {
      StandardErrorLog().write("\(error)")
    }
    isReady.signal()
  }
  isReady.wait()
  return made.withLock { $0 }
}

let arguments = CommandLine.arguments
guard arguments.count >= 5, let count = Int(arguments[4]) else {
  StandardErrorLog().write("OrdersRequests by-hand|corinth METHOD PATH COUNT [BODY]")
  exit(2)
}
guard let handler = makeHandler(arguments[1]) else { exit(1) }
// The first order, which can be asked for.
let order = #"{"lines":[{"item":"book","quantity":1},{"item":"pen","quantity":12}]}"#
let first = handler(request("POST", "/orders", order))
precondition(first.status < 300, "\(first.status) POST /orders")
countedRun(
  request(arguments[2], arguments[3], arguments.count > 5 ? arguments[5] : ""), count, handler)
exit(0)
