// SPDX-License-Identifier: MIT
// The service without a container, to compare with.

import Foundation
import HTTP
import HandMadeOrders
import Orders

// A reader of the log that exits must not end the service.
signal(SIGPIPE, SIG_IGN)
let service = try await Service(
  environment: Environment(ProcessInfo.processInfo.environment))
let termination = await Termination()
let scopes = HandMadeScopes(service: service)
let pipeline = RequestPipeline(
  router: service.router, scopes: scopes, identifiers: service.identifiers,
  settings: service.report, json: service.json, log: service.log)
let server = try Server(
  address: service.server.address, port: service.server.port, threads: service.server.threads,
  handler: pipeline.respond)
service.log.write("listening on port \(server.port)")

await termination.wait()
service.log.write("draining")
await scopes.drain()
try await server.stop()
await service.worker.stop()
try service.pool.close()
service.log.write("ended")
