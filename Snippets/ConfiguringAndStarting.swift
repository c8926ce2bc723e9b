// SPDX-License-Identifier: MIT
// Properties of a file and the environment, a parallel start with a timeline, a worker with scopes.

import Corinth
import CorinthConfiguration
import CorinthDrawing
import CorinthTimeline
import Foundation

struct DatabaseSettings: Decodable, Sendable {
  let host: String
  let port: Int
  let password: String
}
final class Database: Sendable {
  init(settings: DatabaseSettings) async throws { try await Task.sleep(for: .milliseconds(20)) }
}
final class Cache: Sendable {
  init(size: Int) async throws { try await Task.sleep(for: .milliseconds(20)) }
}
final class Catalog: Sendable {
  init(database: Database, cache: Cache) {}
}
struct Job: Sendable { let number: Int }
final class JobHandler: Sendable {
  let job: Job
  init(job: Job, catalog: Catalog) { self.job = job }
  func handle() { print("job \(job.number)") }
}

final class Worker: Sendable {
  private let scopes: ScopeFactory

  init(scopes: ScopeFactory) {
    self.scopes = scopes
  }

  func run(_ job: Job) async throws {
    try await scopes.withScope(providing: job) { scope in
      try await scope.resolveAsync(JobHandler.self).handle()
    }
  }
}

/// Reads the settings again at each SIGHUP, until the task is cancelled.
func reloadAtHangups(_ reloadable: ReloadableContainer, from resource: Resource) async {
  // The source gets ignored signals too. Without `SIG_IGN`, the signal would end the process.
  signal(SIGHUP, SIG_IGN)
  let source = DispatchSource.makeSignalSource(signal: SIGHUP)
  defer { source.cancel() }
  let (hangups, continuation) = AsyncStream.makeStream(
    of: Void.self, bufferingPolicy: .bufferingNewest(1))
  source.setEventHandler { continuation.yield() }
  source.activate()
  for await _ in hangups {
    do {
      try await reloadable.reload { version in try version.register(resource: resource) }
    } catch {
      print("the settings stay as they were: \(error)")
    }
  }
}

let settings = FileManager.default.temporaryDirectory.appending(path: "settings-\(UUID()).json")
try Data(
  #"{"db": {"host": "db.internal", "port": 5432, "password": "p"}, "cache": {"size": 100}}"#.utf8
)
.write(to: settings)
defer { try? FileManager.default.removeItem(at: settings) }

let container = Container()

try container.register(resource: .file(settings).secret("db.password"))
try container.register(resource: .environment(prefix: "SHOP_"))

let port: Int = try container.property("db.port")
print(port)

try container.register(DatabaseSettings.self, property: "db")

try container.registerAsync(
  Cache.self, scope: .singleton, with: .dependsOn(keys: [.property("cache.size")])
) { resolver in
  try await Cache(size: try resolver.property("cache.size"))
}

try container.wireAsync(Database.self, scope: .singleton, using: Database.init(settings:))
try container.wireAsync(
  Catalog.self, scope: .singleton, using: Catalog.init(database:cache:)
).eager()
try container.registerInput(Job.self)
try container.wireAsync(JobHandler.self, scope: .scoped, using: JobHandler.init(job:catalog:))
try container.wire(Worker.self, scope: .singleton, using: Worker.init(scopes:))

let timeline = Timeline(of: container)
try await container.warmUp(validating: true, maximumConcurrency: 8)
timeline.stop()

print(timeline.table())

let page = GraphDocument(of: container, timeline: timeline).page()
print(page.utf8.count > 0)

try await container.resolve(Worker.self).run(Job(number: 1))

let reloadable = ReloadableContainer(container)
let disposal = try await reloadable.reload { version in
  try version.register(
    value: DatabaseSettings(host: "standby.internal", port: 5432, password: "q"))
}

try await reloadable.scopes.withScope(providing: Job(number: 2)) { scope in
  try await scope.resolveAsync(JobHandler.self).handle()
}
try await disposal.value

signal(SIGHUP, SIG_IGN)
let hangups = Task {
  await reloadAtHangups(reloadable, from: .file(settings).secret("db.password"))
}
try Data(
  #"{"db": {"host": "db.internal", "port": 5432, "password": "p"}, "cache": {"size": 200}}"#.utf8
)
.write(to: settings)
while try reloadable.current.property("cache.size", as: Int.self) != 200 {
  kill(getpid(), SIGHUP)
  try await Task.sleep(for: .milliseconds(10))
}
hangups.cancel()
await hangups.value

try await container.shutdown()
