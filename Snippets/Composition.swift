// SPDX-License-Identifier: MIT
// Decorators, behaviors, forks for tests, and containers whose registrations are final.

// snippet.show
import Corinth

// snippet.hide
// Stand-ins for the packages swift-log, swift-metrics and swift-distributed-tracing.
enum Logging {
  struct Logger: Sendable {
    enum Level { case trace, debug, warning, error }
    let label: String
    func log(level: Level, _ message: @autoclosure () -> String) {
      if level == .error { print("\(label): \(message().prefix { $0 != "\n" })") }
    }
  }
}
enum Metrics {
  struct Counter {
    let label: String
    let dimensions: [(String, String)]
    func increment(by amount: Int) {
      if amount > 0, dimensions.contains(where: { $0.1 == "Journal" }) { print(label, amount) }
    }
  }
}
func withSpan(_ name: String, _ body: (Int) throws -> Void) rethrows {
  print("begin", name)
  defer { print("end", name) }
  try body(0)
}
nonisolated(nonsending) func withSpan(
  _ name: String, _ body: nonisolated(nonsending) (Int) async throws -> Void
) async rethrows {
  try await body(0)
}

protocol Mailer: Sendable { func send(_ text: String) throws }
struct Unreachable: Error {}

final class SMTPMailer: Mailer {
  func send(_ text: String) throws { throw Unreachable() }
}
struct Account: Sendable { let attempts = 2 }
final class Journal: Sendable { func note(_ line: String) { print(line) } }
final class Invitations: Sendable {
  let mailer: any Mailer
  init(mailer: any Mailer) { self.mailer = mailer }
  func invite(_ name: String) throws { try mailer.send("welcome, \(name)") }
}

let container = Container()
try container.wire(Account.self, using: Account.init)
try container.wire(Journal.self, scope: .singleton, using: Journal.init)
try container.wire((any Mailer).self, scope: .singleton, using: SMTPMailer.init)
try container.wire(Invitations.self, scope: .singleton, using: Invitations.init)

// Decorators.
struct RetryingMailer: Mailer {
  let decorated: any Mailer
  let attempts: Int
  func send(_ text: String) throws {
    for _ in 1..<attempts where (try? decorated.send(text)) != nil { return }
    try decorated.send(text)
  }
}
struct JournaledMailer: Mailer {
  let decorated: any Mailer
  let journal: Journal
  func send(_ text: String) throws {
    do { try decorated.send(text) } catch {
      journal.note("not sent: \(text)")
      throw error
    }
  }
}

try container.decorate((any Mailer).self) { mailer, resolver in
  RetryingMailer(decorated: mailer, attempts: try resolver.resolve(Account.self).attempts)
}
let journaling = try container.decorate((any Mailer).self) { mailer, resolver in
  JournaledMailer(decorated: mailer, journal: try resolver.resolve())
}

// Behaviors.
let logger = Logging.Logger(label: "container")
container.add(
  LoggingBehavior { level, message in
    let level: Logging.Logger.Level =
      switch level {
      case .trace: .trace
      case .debug: .debug
      case .warning: .warning
      case .error: .error
      }
    logger.log(level: level, "\(message())")
  })

let metrics = MetricsBehavior(countsResolves: false)
container.add(metrics)

/// Hands the sums of a behavior to the counters of swift-metrics. Call `report` at intervals.
struct MetricsBridge {
  let behavior: MetricsBehavior
  private var reported: [RegistrationKey: MetricsBehavior.Entry] = [:]

  init(_ behavior: MetricsBehavior) { self.behavior = behavior }

  mutating func report() {
    for entry in behavior.snapshot() {
      let former = reported.updateValue(entry, forKey: entry.key)
      let dimensions = [("key", "\(entry.key)")]
      Metrics.Counter(label: "container_constructions", dimensions: dimensions)
        .increment(by: entry.constructions - (former?.constructions ?? 0))
      Metrics.Counter(label: "container_failures", dimensions: dimensions)
        .increment(by: entry.failures - (former?.failures ?? 0))
    }
  }
}
var bridge = MetricsBridge(metrics)

container.add(
  TracingBehavior { key, build in
    try withSpan("build \(key)") { _ in try build() }
  } async: { key, build in
    try await withSpan("build \(key)") { _ in try await build() }
  })

do { try container.resolve(Invitations.self).invite("Ada") } catch { print(error) }
_ = try? container.resolve(String.self)
for entry in metrics.snapshot() where entry.constructions > 0 && entry.key.product == Journal.self {
  print("\(entry.key): \(entry.constructions)")
}
bridge.report()
journaling.remove()

// A fork, as a test makes it.
struct PrintingMailer: Mailer {
  func send(_ text: String) { print("sent: \(text)") }
}

let fork = try container.fork { fork in
  try fork.register((any Mailer).self, onDuplicate: .require) { _ in PrintingMailer() }
}
try fork.resolve(Invitations.self).invite("Grace")
try await fork.shutdown()

// An override that ends.
let override = try container.register((any Mailer).self, onDuplicate: .require) { _ in
  PrintingMailer()
}
container.release(Invitations.self)
try container.resolve(Invitations.self).invite("Edsger")
override.restore()

// No more changes.
try container.freeze()
do { try container.register(Int.self) { _ in 1 } } catch { print(error) }
let changeable = try container.fork { try $0.register(Int.self) { _ in 1 } }
print(try changeable.resolve(Int.self))

let frozen = try ContainerBuilder()
  .configure { container in
    try container.wire((any Mailer).self, scope: .singleton, using: SMTPMailer.init)
    try container.register(Invitations.self, scope: .singleton) { resolver in
      Invitations(mailer: try resolver.resolve())
    }
  }
  .build()
_ = try frozen.resolve(Invitations.self)
let test = try frozen.fork {
  try $0.register((any Mailer).self, onDuplicate: .require) { _ in PrintingMailer() }
}
try test.resolve(Invitations.self).invite("Barbara")
