// SPDX-License-Identifier: MIT

import Corinth
import CorinthTimeline

struct Settings: Sendable { let currency = "EUR" }
struct Clock: Sendable {}
protocol Log: Sendable {}
struct ConsoleLog: Log {}
struct Customer: Sendable { let name: String }
protocol Check: Sendable {}
struct DatabaseCheck: Check {}
struct MailCheck: Check {}

final class Database: Sendable {
  init(settings: Settings, log: any Log) async {}
}

final class Prices: Sendable {
  init(settings: Settings) {}
}

final class Discount: Sendable {
  init(percent: Int, reason: String, prices: Prices) {}
}

final class Basket: Sendable {
  init(
    customer: Customer, prices: Prices, clock: Provider<Clock>, history: Lazy<History>,
    log: any Log
  ) {}
}

final class History: Sendable {}

final class Status: Sendable {
  init(checks: [any Check], cache: Cache, sessions: Sessions) {}
}

final class Cache: Sendable {}
final class Sessions: Sendable {}
final class Importer: Sendable {}
final class Carrier: Sendable {}

final class Parcel: Sendable {
  init(carrier: Carrier) {}
}

final class Hen: Sendable {
  init(egg: Egg) {}
}

final class Egg: Sendable {
  init(hen: Hen) {}
}

struct PerProgram: CustomStorage {
  func get(for context: StorageContext) -> Importer? { nil }
  func set(_ importer: Importer, for context: StorageContext) {}
  func release() {}
}

struct ChecksAssembly: Assembly {
  func assemble(container: Container) throws {
    try container.contribute(to: (any Check).self, value: DatabaseCheck())
    try container.wire((any Check).self, name: .element("mail"), using: MailCheck.init)
  }
}

/// A container with a node of each kind and scope, an edge of each kind and evidence, a parent, a
/// cycle, and a missing key.
enum Shop {
  static func make() async throws -> (
    container: Container, metrics: MetricsBehavior, timeline: Timeline
  ) {
    let parent = Container()
    try parent.register(value: Settings())
    try parent.wire(ConsoleLog.self, scope: .singleton, using: ConsoleLog.init)
      .implements((any Log).self)

    let container = Container(parent: parent)
    let metrics = MetricsBehavior()
    container.add(metrics)
    try container.registerInput(Customer.self)
    try container.wire(Clock.self, using: Clock.init)
    try container.wireAsync(
      Database.self, scope: .singleton, with: .eager, using: Database.init)
    try container.wire(Prices.self, scope: .singleton, using: Prices.init)
    try container.decorate(Prices.self) { prices, resolver in
      _ = try resolver.resolve(Clock.self)
      return prices
    }
    try container.wire(
      Discount.self, arguments: Int.self, String.self, using: Discount.init)
    try container.wire(Basket.self, scope: .scoped, using: Basket.init)
    try container.register(History.self, scope: .graph, with: .dependsOn(Database.self)) { _ in
      History()
    }
    try Assembler(container: container).apply(assembly: ChecksAssembly())
    try container.wire(Cache.self, scope: .cached(for: .seconds(60)), using: Cache.init)
    try container.wire(Sessions.self, scope: .weak, using: Sessions.init)
    try container.wire(Status.self, using: Status.init)
    try container.register(Importer.self, with: .as(PerProgram())) { _ in Importer() }
    try container.wire(Parcel.self, using: Parcel.init)
    try container.wire(Hen.self, using: Hen.init)
    try container.wire(Egg.self, using: Egg.init)

    let timeline = Timeline(of: container)
    try await container.warmUp()
    let recording = container.recordDependencies()
    _ = try container.resolve(Status.self)
    _ = try container.resolve(Discount.self, arguments: 10, "spring")
    recording.stop()
    timeline.stop()
    return (container, metrics, timeline)
  }
}
