// SPDX-License-Identifier: MIT
// A container for each tenant, requests in scopes, and a tenant whose settings are read again.

import Corinth
import Synchronization

struct Plan: Sendable { let name: String }
struct Quota: Sendable { let requests: Int }
final class Clock: Sendable {}
final class Billing: Sendable {
  let plan: Plan
  let clock: Clock
  init(plan: Plan, clock: Clock) { (self.plan, self.clock) = (plan, clock) }
}
struct Handler {
  let billing: Billing
  func answer() -> String { billing.plan.name }
}
struct UnknownTenant: Error {}

let application = Container()
try application.wire(Clock.self, scope: .singleton, using: Clock.init)
try application.register(value: Plan(name: "basic"))
try application.wire(Billing.self, scope: .singleton, using: Billing.init(plan:clock:))
try application.wire(Handler.self, using: Handler.init(billing:))

let shared = try application.resolve(Clock.self)
let acme = try application.fork { container in
  try container.register(value: Plan(name: "gold"), onDuplicate: .override)
  try container.register(value: shared, onDuplicate: .override)
}

final class Tenants: Sendable {
  private let all = Mutex<[String: ReloadableContainer]>([:])

  func add(_ name: String, _ container: Container) {
    let tenant = ReloadableContainer(container)
    all.withLock { $0[name] = tenant }
  }

  func tenant(_ name: String) throws -> ReloadableContainer {
    guard let tenant = all.withLock({ $0[name] }) else { throw UnknownTenant() }
    return tenant
  }

  func remove(_ name: String, _ container: Container) async throws {
    _ = all.withLock { $0.removeValue(forKey: name) }
    try await container.shutdown(draining: .seconds(20))
  }
}

let tenants = Tenants()
tenants.add("acme", acme)

let answer = try await tenants.tenant("acme").scopes.withScope { scope in
  try scope.resolve(Handler.self).answer()
}

let disposal = try await tenants.tenant("acme").reload { version in
  try version.register(value: Plan(name: "platinum"))
}
try await disposal.value

let answerAfterReload = try await tenants.tenant("acme").scopes.withScope { scope in
  try scope.resolve(Handler.self).answer()
}
let clockOfAcme = try tenants.tenant("acme").current.resolve(Clock.self)
try await tenants.remove("acme", acme)
let others = try application.resolve(Handler.self).answer()
print(answer, answerAfterReload, others, clockOfAcme === shared)
precondition(answer == "gold" && answerAfterReload == "platinum" && others == "basic")
precondition(clockOfAcme === shared)
try await application.shutdown()
