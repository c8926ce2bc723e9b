// SPDX-License-Identifier: MIT

package protocol Mailer: Sendable {
  func send(_ message: Message) throws
}

final class TransportMailer: Mailer {
  private let transport: any MailTransport
  private let settings: MailSettings
  private let filters: [any MailFilter]

  init(transport: any MailTransport, settings: MailSettings, filters: [any MailFilter]) {
    (self.transport, self.settings, self.filters) = (transport, settings, filters)
  }

  func send(_ message: Message) throws {
    for filter in filters where !filter.accepts(message) {
      throw MailError.refused(filter.reason)
    }
    try transport.deliver(message, from: settings.sender)
  }
}

/// Decorates: tries again when the transport cannot be reached.
struct RetryingMailer: Mailer {
  let decorated: any Mailer
  let attempts: Int

  func send(_ message: Message) throws {
    for attempt in 1...attempts {
      do { return try decorated.send(message) } catch MailError.unreachable {
        if attempt == attempts { throw MailError.unreachable }
      }
    }
  }
}

/// Decorates: the journal shows what was sent, and what was not.
struct JournaledMailer: Mailer {
  let decorated: any Mailer
  let journal: Journal

  func send(_ message: Message) throws {
    do { try decorated.send(message) } catch {
      journal.note("no mail to \(message.recipient): \(error)")
      throw error
    }
    journal.note("mail to \(message.recipient)")
  }
}
