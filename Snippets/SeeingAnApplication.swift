// SPDX-License-Identifier: MIT
// The registrations and dependencies of an application: in code, as a picture, as JSON, in numbers.

import Corinth
import CorinthDrawing
import Foundation

struct Settings: Sendable {}
protocol Log: Sendable {}
struct ConsoleLog: Log {}
struct User: Sendable { let name: String }
final class Database: Sendable {
  init(settings: Settings, log: any Log) {}
}
final class Stock: Sendable {
  init(database: Database) {}
}
final class Mailer: Sendable {
  init(settings: Settings) {}
}
final class Checkout: Sendable {
  init(user: User, stock: Stock, mailer: Lazy<Mailer>) {}
}
final class Reports: Sendable {
  init(database: Database) {}
}

func makeApplication() throws -> Container {
  let container = Container()
  try container.register(value: Settings())
  try container.wire(ConsoleLog.self, scope: .singleton, using: ConsoleLog.init)
    .implements((any Log).self)
  try container.wire(Database.self, scope: .singleton, using: Database.init)
  try container.wire(Stock.self, scope: .singleton, using: Stock.init)
  try container.wire(Mailer.self, scope: .singleton, using: Mailer.init)
  try container.registerInput(User.self)
  try container.wire(Checkout.self, scope: .scoped, using: Checkout.init)
  try container.register(Reports.self) { Reports(database: try $0.resolve()) }
  return container
}

/// A stand-in for the gauge of the package swift-metrics.
struct Gauge {
  let label: String
  var dimensions: [(String, String)] = []
  func record(_ value: Int) { print(label, dimensions.map(\.1), value) }
}

let application = try makeApplication()
let metrics = MetricsBehavior(countsResolves: false)
application.add(metrics)

// snippet.show
let graph = application.graph()
for edge in graph.edges {
  print(graph.registrations[edge.source].key, "depends on", edge.key, edge.kind, edge.evidence)
}

// The parts that a change of the database may break: Database, Stock, Checkout.
let dependents = graph.dependents(of: .init(Database.self))
print(dependents.registrations.map(\.key))

// The parts of a checkout.
let dependencies = graph.dependencies(of: .init(Checkout.self))
print(dependencies.registrations.map(\.key))

// The reason why a checkout reads the settings: Checkout, Mailer, Settings.
if let path = graph.path(from: .init(Checkout.self), to: .init(Settings.self)) {
  print(path)
}

precondition(graph.path(from: .init(Checkout.self), to: .init(Reports.self)) == nil)

print(dependencies.mermaid())

let document = GraphDocument(of: application, counts: metrics.snapshot())
let page = FileManager.default.temporaryDirectory.appendingPathComponent("container.html")
try document.page().write(to: page, atomically: true, encoding: .utf8)
print(document.json())

let statistics = application.statistics
Gauge(label: "corinth_open_scopes").record(statistics.openScopes)
for (scope, count) in statistics.built {
  Gauge(label: "corinth_instances", dimensions: [("scope", "\(scope)")]).record(count)
}

application.tracksScopes = true
for scope in application.statistics.openScopesByAge.prefix(10) {
  print(scope.location, scope.age)
}
Container.onOutlivedScope = { report in print(report) }

/// The body of a route, to be sent as `text/html; charset=utf-8`.
func containerPage() -> String {
  GraphDocument(of: application, counts: metrics.snapshot()).page()
}

/// The body of a route, to be sent as `application/json`.
func containerJSON() -> String {
  GraphDocument(of: application, counts: metrics.snapshot()).json()
}
// snippet.hide

precondition(containerPage().contains("Checkout") && containerJSON().contains("Checkout"))
let flowchart = """
  flowchart LR
    n0["Settings<br/>value"]
    n1["ConsoleLog<br/>singleton"]
    n2["any Log<br/>ConsoleLog, forwarded"]
    n3["Database<br/>singleton"]
    n4["Stock<br/>singleton"]
    n5["Mailer<br/>singleton"]
    n6[/"User<br/>input"/]
    n7["Checkout<br/>scoped"]
    n2 ==> n1
    n3 --> n0
    n3 --> n2
    n4 --> n3
    n5 --> n0
    n7 --> n6
    n7 --> n4
    n7 -.->|lazy| n5

  """
precondition(dependencies.mermaid() == flowchart)
