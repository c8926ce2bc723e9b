// SPDX-License-Identifier: MIT
// A parameter of the initializer first; an injected property if a framework calls the initializer.

// snippet.show
import Corinth

protocol Mailer: Sendable { func send(_ text: String) -> String }

struct SMTPMailer: Mailer {
  let host: String
  func send(_ text: String) -> String { "\(text) by \(host)" }
}

struct Metrics: Sendable {}

// Dependencies as parameters: the initializer shows the needs of the type.
final class Newsletter: Sendable {
  private let mailer: any Mailer

  init(mailer: any Mailer) { self.mailer = mailer }
  func publish() -> String { mailer.send("news") }
}

let container = Container()
try container.register((any Mailer).self, scope: .singleton) { _ in SMTPMailer(host: "smtp.local") }
try container.register((any Mailer).self, name: "backup") { _ in SMTPMailer(host: "backup.local") }
try container.register(Newsletter.self) { Newsletter(mailer: try $0.resolve()) }
print(try container.resolve(Newsletter.self).publish())

// Injected properties: a framework makes the object.
Container.lookupPolicy = .container(container)

final class Screen {
  @Injected var mailer: any Mailer
  @Injected(name: "backup") var backup: any Mailer
  @Injected var metrics: Metrics?

  func check() throws { _ = try $mailer() }
}

let screen = Screen()
try screen.check()
print(screen.mailer.send("hello"), screen.backup.send("hello"), screen.metrics == nil)

// In a Sendable class, as a plain value.
final class Service: Sendable {
  private let mailer = Injected<any Mailer>()
  func run() throws -> String { try mailer().send("report") }
}

print(try Service().run())

// As a parameter.
func notify(@Injected mailer: any Mailer) -> String { mailer.send("alert") }

print(notify($mailer: .container(container)))
print(notify(mailer: SMTPMailer(host: "test")))

// The object that has the property reaches the factory.
try container.register(String.self) { resolver in
  resolver.enclosingObject.map { "log of \(type(of: $0))" } ?? "log"
}

final class Worker {
  @Injected var log: String
}

print(Worker().log)
