// SPDX-License-Identifier: MIT

import Corinth
import Foundation
import HTTP
import Orders

// A reader of the log that exits must not end the service.
signal(SIGPIPE, SIG_IGN)
do {
  let container = try Application.makeContainer(
    environment: Environment(ProcessInfo.processInfo.environment))
  let log = try container.resolve((any Log).self)
  // At a signal, requests that have begun end first; new ones get 503. Then end the server, the
  // worker and the pool, in this order.
  let hangups = Hangups()
  let service = ContainerService(
    container, draining: .seconds(20), timeLimit: .seconds(5), totalTimeLimit: .seconds(9))
  try await service.run(
    starting: {
      let server = try await container.startServer()
      log.write("listening on port \(server.port)")
      // The first may have come during the start.
      Task { for await _ in hangups { await container.readTaxTableAgain() } }
    }, beforeDraining: { log.write("draining") })
  log.write("ended")
} catch {
  StandardErrorLog().write("\(error)")
  exit(1)
}
