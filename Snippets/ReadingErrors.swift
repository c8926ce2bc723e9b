// SPDX-License-Identifier: MIT
// The properties of errors, and the error that a factory threw.

// snippet.show
import Corinth

struct ConnectionRefused: Error { let port: Int }
struct Database {}
struct Service { let database: Database }

let container = Container()
try container.register(Database.self) { _ in throw ConnectionRefused(port: 5432) }
try container.register(Service.self) { r in Service(database: try r.resolve()) }

do {
  _ = try container.resolve(Service.self)
} catch let error as ResolutionError {
  print(error)
  if let refused = error.cause(as: ConnectionRefused.self) { print("port \(refused.port)") }
}
