// SPDX-License-Identifier: MIT
// Corinth's counterparts of code for Swinject, Factory, swift-dependencies and .NET.

// snippet.show
import Corinth

protocol Mailer: Sendable { func send(_ text: String) -> String }

struct SMTPMailer: Mailer {
  let host: String
  func send(_ text: String) -> String { "\(text) by \(host)" }
}

struct SilentMailer: Mailer {
  func send(_ text: String) -> String { "silence" }
}

struct Newsletter: Sendable {
  let mailer: any Mailer
}

struct MailModule: Assembly {
  func assemble(container: Container) throws {
    try container.register((any Mailer).self, scope: .singleton) { _ in
      SMTPMailer(host: "smtp.local")
    }
    try container.register(Newsletter.self) { r in
      Newsletter(mailer: try r.resolve())
    }
  }
}

extension Container {
  var mailer: any Mailer {
    get throws { try resolve() }
  }
}

final class Screen {
  @Injected var mailer: any Mailer
}

final class Session: Sendable {
  func commit() async {}
  func rollBack() async {}
}

// Swinject
let container = Container()
try Assembler(container: container).apply(assembly: MailModule())
let newsletter = try container.resolve(Newsletter.self)
print(newsletter.mailer.send("news"))

// Factory
print(try container.mailer.send("offer"))

// swift-dependencies
container.withCurrent {
  print(Screen().mailer.send("hello"))
}
try await container.withOverrides {
  try $0.register((any Mailer).self, onDuplicate: .require) { _ in SilentMailer() }
} run: { _ in
  print(Screen().mailer.send("hello"))
}

// .NET
try container.register(
  Session.self, scope: .scoped,
  with: .onDispose { session, outcome in
    if case .completed = outcome {
      await session.commit()
    } else {
      await session.rollBack()
    }
  }
) { _ in Session() }
try container.validate()
try await container.withScope { scope in
  print(try scope.resolve(Session.self) === scope.resolve(Session.self))
}
