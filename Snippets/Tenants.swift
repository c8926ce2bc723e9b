// SPDX-License-Identifier: MIT
// A child container for each tenant; some tenants override registrations of the application.

// snippet.show
import Corinth

struct Database: Sendable { let host: String }
struct Report { let database: Database }
final class Billing: Sendable {
  let database: Database
  init(database: Database) { self.database = database }
}

let application = Container()
try application.register(Database.self, scope: .singleton) { _ in Database(host: "shared.local") }
try application.register(Report.self) { r in Report(database: try r.resolve()) }
try application.register(Billing.self, scope: .singleton) { r in Billing(database: try r.resolve())
}

let acme = Container(parent: application)
try acme.register(Database.self, scope: .singleton) { _ in Database(host: "acme.local") }
let globex = Container(parent: application)

// A transient belongs to the asked container, and gets the container's overrides.
print(try acme.resolve(Report.self).database.host)
print(try globex.resolve(Report.self).database.host)

// A singleton belongs to the registering container: all tenants share the instance.
print(try acme.resolve(Billing.self).database.host)
print(try acme.resolve(Billing.self) === application.resolve(Billing.self))
