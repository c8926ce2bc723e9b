// SPDX-License-Identifier: MIT

package import Corinth

/// Messages to users.
package struct MailAssembly: Assembly {
  package init() {}

  package var dependencies: [any Assembly] { [ConfigurationAssembly()] }

  package func assemble(container: Container) throws {
    try container.wire(Outbox.self, scope: .singleton, using: Outbox.init)
      .implements((any MailTransport).self)
    try container.wire((any Mailer).self, scope: .singleton, using: TransportMailer.init)
    try container.decorate((any Mailer).self) { mailer, resolver in
      RetryingMailer(
        decorated: mailer, attempts: try resolver.resolve(MailSettings.self).attempts)
    }
    // One line for a message, however many attempts it takes.
    try container.decorate((any Mailer).self) { mailer, resolver in
      JournaledMailer(decorated: mailer, journal: try resolver.resolve())
    }
    try container.wire(
      MailQueue.self, scope: .singleton, with: .onDispose { try $0.flush() }, using: MailQueue.init)
    try container.wire(Templates.self, using: Templates.init)
    try container.wire(Letter.self, arguments: User.self, using: Letter.init)
    try container.contribute(to: (any MailFilter).self, name: "size", value: SizeFilter())
    try container.contribute(to: (any MailFilter).self, name: "address", value: AddressFilter())
    try container.wire((any HealthCheck).self, name: .element(), using: MailCheck.init)
  }
}

private struct MailCheck: HealthCheck {
  let settings: MailSettings
  var subject: String { "mail" }
  var isHealthy: Bool { settings.sender.contains("@") }
}
