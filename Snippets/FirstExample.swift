// SPDX-License-Identifier: MIT
// The sample of the README, with the declarations of its parts.

// snippet.show
import Corinth

let container = Container()
try container.wire((any Mailer).self, scope: .singleton, using: SMTPMailer.init)
try container.registerAsync(
  Pool.self, scope: .singleton, with: .onDispose { await $0.close() }
) { _ in try await Pool.open() }
try container.wireAsync(
  Session.self, scope: .scoped,
  with: .onDispose { session, outcome in
    if case .completed = outcome { await session.commit() }
  }, using: Session.init)

try await container.warmUp(validating: true)  // names missing dependencies of wired parts
try await container.withScope { request in  // a session of its own, committed on return
  try await request.resolveAsync(Session.self).order("tea")
  try request.resolve((any Mailer).self).send("thank you for the tea")
}
let test = try container.fork { fork in  // everything as above, but for one part
  try fork.register((any Mailer).self) { _ in SilentMailer() }
}
try await container.shutdown(draining: .seconds(20), timeLimit: .seconds(5))

protocol Mailer: Sendable { func send(_ text: String) }
struct SMTPMailer: Mailer { func send(_ text: String) { print("mailed \(text)") } }
struct SilentMailer: Mailer { func send(_ text: String) {} }
actor Pool {
  static func open() async throws -> Pool { Pool() }
  func write(_ orders: [String]) { print("wrote \(orders)") }
  func close() { print("closed the pool") }
}
actor Session {
  let pool: Pool
  var orders: [String] = []
  init(pool: Pool) { self.pool = pool }
  func order(_ name: String) { orders.append(name) }
  func commit() async { await pool.write(orders) }
}
