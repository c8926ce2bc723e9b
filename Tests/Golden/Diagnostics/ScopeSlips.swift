// SPDX-License-Identifier: MIT
// Slips in scopes. Each has one error, in the line that ends in "SLIP".
import Corinth

struct Log: Sendable {}

func register(_ container: Container) throws {
  try container.register(Log.self, lifetime: .singleton) { _ in Log() }  // SLIP
  try container.register(Log.self, lifetime: .singleton) { (_, id: Int) in Log() }  // SLIP
  try container.registerAsync(Log.self, lifetime: .singleton) { _ in Log() }  // SLIP
  try container.registerAsync(Log.self, lifetime: .scoped) { (_, id: Int) in Log() }  // SLIP
  try container.contribute(to: Log.self, lifetime: .singleton) { _ in Log() }  // SLIP
  try container.wire(Log.self, lifetime: .singleton, using: Log.init)  // SLIP
  try container.register(Log.self, scope: .singelton) { _ in Log() }  // SLIP
  try container.wire(Log.self, scope: .singelton, using: Log.init)  // SLIP
}
