// SPDX-License-Identifier: MIT
// A small service by keys only, beside the same by types: Corinth's counterparts of code for
// Factory and swift-dependencies.

// snippet.show
import Corinth

final class Pool: Sendable {
  let size: Int
  init(size: Int) { self.size = size }
  func close() { print("closed the pool") }
}

protocol Mailer: Sendable { func send(_ text: String) -> String }

struct SMTPMailer: Mailer {
  let pool: Pool
  func send(_ text: String) -> String { "\(text) by one of \(pool.size)" }
}

struct SilentMailer: Mailer {
  func send(_ text: String) -> String { "silence" }
}

struct Newsletter: Sendable {
  let mailer: any Mailer
}

// By keys

enum App {
  static let pool: ServiceKey<Pool> = ServiceKey(
    scope: .singleton, with: .onDispose { $0.close() }
  ) { _ in Pool(size: 4) }

  static let mailer: ServiceKey<any Mailer> = ServiceKey(scope: .singleton) { resolver in
    SMTPMailer(pool: try resolver.resolve(App.pool))
  }

  static let newsletter: ServiceKey<Newsletter> = ServiceKey { resolver in
    Newsletter(mailer: try resolver.resolve(App.mailer))
  }
}

let container = Container()
let newsletter = try container.resolve(App.newsletter)
print(newsletter.mailer.send("news"))

final class Screen {
  @Injected(App.mailer) var mailer: any Mailer
}

container.withCurrent {
  print(Screen().mailer.send("hello"))
}
try await container.withOverrides {
  try $0.register(App.mailer) { _ in SilentMailer() }
} run: { _ in
  print(Screen().mailer.send("hello"))
}

// A client of closures, as in swift-dependencies

struct Articles: Sendable {
  var fetch: @Sendable (Int) async throws -> String
}

enum News {
  static let host: ServiceKey<String> = ServiceKey(scope: .singleton) { _ in "news.local" }

  static let articles: ServiceKey<Articles> = ServiceKey(scope: .singleton) { resolver in
    let host = try resolver.resolve(News.host)
    return Articles(fetch: { number in "article \(number) of \(host)" })
  }
}

print(try await container.resolve(News.articles).fetch(7))
let fork = try container.fork {
  try $0.register(News.host) { _ in "localhost" }
}
print(try await fork.resolve(News.articles).fetch(7))
try await container.shutdown()

// By types

let typed = Container()
try typed.register(
  Pool.self, scope: .singleton, with: .onDispose { $0.close() }
) { _ in Pool(size: 4) }
try typed.wire((any Mailer).self, scope: .singleton, using: SMTPMailer.init)
try typed.wire(Newsletter.self, using: Newsletter.init)
try typed.validate(roots: [Newsletter.self])
print(try typed.resolve(Newsletter.self).mailer.send("news"))
try await typed.shutdown()
