// SPDX-License-Identifier: MIT
// Corinth's counterparts of code for Swinject and .NET.

// snippet.show
import Corinth

protocol Mailer: Sendable { func send(_ text: String) -> String }

struct SMTPMailer: Mailer {
  let host: String
  func send(_ text: String) -> String { "\(text) by \(host)" }
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

final class Session: Sendable {
  func commit() async {}
  func rollBack() async {}
}

// Swinject
let container = Container()
try Assembler(container: container).apply(assembly: MailModule())
let newsletter = try container.resolve(Newsletter.self)
print(newsletter.mailer.send("news"))

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
