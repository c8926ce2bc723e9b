// SPDX-License-Identifier: MIT
// Initializers as factories, parameters by type, values, and a collection from several modules.

// snippet.show
import Corinth

protocol Mailer: Sendable { func send(_ text: String) throws }
protocol HealthCheck: Sendable { var report: String { get } }

struct Configuration: Sendable { let host: String }
final class Log: Sendable { func write(_ text: String) { print(text) } }

final class SMTPMailer: Mailer {
  let configuration: Configuration
  let log: Log?
  init(configuration: Configuration, log: Log?) {
    (self.configuration, self.log) = (configuration, log)
  }
  func send(_ text: String) { log?.write("\(configuration.host): \(text)") }
}

enum Replica: NameMarker { static let name: Name = "replica" }
struct Database: Sendable { let host: String }

final class Reports: Sendable {
  let database: Named<Database, Replica>
  let mailer: Lazy<any Mailer>
  let checks: [any HealthCheck]
  init(database: Named<Database, Replica>, mailer: Lazy<any Mailer>, checks: [any HealthCheck]) {
    (self.database, self.mailer, self.checks) = (database, mailer, checks)
  }
  func send() throws {
    try mailer.value.send("\(database.value.host), \(checks.map(\.report))")
  }
}

struct Logger: Sendable { let label: String }

final class Importer: Sendable {
  let logger: Logger
  init(logger: Logger) { self.logger = logger }
}

struct Session: Sendable {
  let user: Int
  let mailer: any Mailer
}

struct DiskCheck: HealthCheck { var report: String { "disk" } }
struct MailCheck: HealthCheck {
  let configuration: Configuration
  var report: String { "mail at \(configuration.host)" }
}

let container = Container()
try container.register(value: Configuration(host: "smtp.local"))
try container.wire(Log.self, scope: .singleton, using: Log.init)
try container.wire((any Mailer).self, scope: .singleton, using: SMTPMailer.init)
try container.register(value: Database(host: "replica.local"), name: "replica")
try container.wire(Reports.self, scope: .singleton, using: Reports.init)
try container.wire(Session.self, arguments: Int.self, using: Session.init)

// A logger for each class, by one registration.
try container.registerPerRequester(Logger.self) { _, requester in
  Logger(label: requester.map { "\($0.product)" } ?? "root")
}
try container.wire(Importer.self, using: Importer.init)

// Contributions of two independent modules.
try container.wire((any HealthCheck).self, name: .element(), using: DiskCheck.init)
try container.wire((any HealthCheck).self, name: .element(), using: MailCheck.init)

try container.resolve(Reports.self).send()
try container.resolve(Session.self, arguments: 7).mailer.send("welcome")
for check in try container.resolveAll((any HealthCheck).self) { print(check.report) }
print(try container.resolve(Importer.self).logger.label)
