// SPDX-License-Identifier: MIT
// All problems of an application at once, with and without running the factories.

// snippet.show
import Corinth

struct CorrelationID: Sendable { let text: String }
final class Log: Sendable {}
final class Database: Sendable {
  init(log: Log) {}
}
final class Handler: Sendable {
  init(request: CorrelationID, database: Database) {}
}
final class Reports: Sendable {
  init(database: Database) {}
}

func makeApplication() throws -> Container {
  let container = Container()
  try container.registerInput(CorrelationID.self)
  try container.wire(Log.self, scope: .singleton, using: Log.init)
  try container.wire(Database.self, scope: .singleton, with: .eager, using: Database.init)
  try container.wire(Handler.self, scope: .scoped, using: Handler.init)
  try container.register(Reports.self, with: .dependsOn(Database.self)) { resolver in
    Reports(database: try resolver.resolve())
  }
  return container
}

// In a test: no factory runs.
let application = try makeApplication()
try application.validate(roots: [Handler.self, Reports.self], inputs: [CorrelationID.self])

// Strictly: a closure with unknown dependencies is a finding.
try application.validate(roots: [Handler.self, Reports.self], strictly: true)

// At start-up: nothing is built if there is a finding.
try await application.warmUp(validating: true)

// Everything runs once, in a fork that is thrown away.
try await application.validate(building: true, providing: CorrelationID(text: "example"))

// A recording notes the resolves of closures: all dependencies are known.
let recording = application.recordDependencies()
_ = try application.resolve(Reports.self)
recording.stop()
try application.validate(strictly: true)

// Findings are values.
let broken = application.fork { $0.unregister(Log.self) }
do { try broken.validate() } catch RegistrationError.validationFailed(let report) {
  print(report.findings[0].kind == .missing)  // true
  print(report.findings[0])
}
