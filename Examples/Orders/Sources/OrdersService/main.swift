// SPDX-License-Identifier: MIT

import Corinth
import Foundation
import HTTP
import Orders

let container = try Application.makeContainer(
  environment: Environment(ProcessInfo.processInfo.environment))
let log = try container.resolve((any Log).self)
let termination = await Termination()
let server = try await container.startServer()
log.write("listening on port \(server.port)")

await termination.wait()
log.write("draining")
do {
  // Requests that have begun end first; new ones get 503. Then end the server, the worker and the pool, in this order.
  try await container.shutdown(
    draining: .seconds(20), timeLimit: .seconds(5), totalTimeLimit: .seconds(9))
} catch {
  log.write("\(error)")
  exit(1)
}
log.write("ended")
