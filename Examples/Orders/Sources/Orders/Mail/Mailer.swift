// SPDX-License-Identifier: MIT

/// A letter to a customer.
package struct Message: Sendable, Equatable {
  package let recipient: String
  package let text: String

  package init(recipient: String, text: String) {
    self.recipient = recipient
    self.text = text
  }

  init(receiptFor order: Order) {
    let items = order.lines.map { "\($0.quantity) \($0.item)" }.joined(separator: ", ")
    self.init(
      recipient: order.customer,
      text: "Thank you for order \(order.id): \(items); \(order.total) cents in all.")
  }
}

package protocol Mailer: Sendable {
  func send(_ message: Message) throws
}

/// Hands letters to the transport.
package struct TransportMailer: Mailer {
  let transport: any MailTransport
  let settings: MailSettings

  package init(transport: any MailTransport, settings: MailSettings) {
    self.transport = transport
    self.settings = settings
  }

  package func send(_ message: Message) throws {
    try transport.deliver(message, from: settings.sender)
  }
}

/// Decorates: tries again.
package struct RetryingMailer: Mailer {
  let decorated: any Mailer
  let attempts: Int

  package init(decorated: any Mailer, settings: MailSettings) {
    self.decorated = decorated
    attempts = settings.attempts
  }

  package func send(_ message: Message) throws {
    for _ in 1..<attempts {
      do { return try decorated.send(message) } catch is MailError {}
    }
    try decorated.send(message)
  }
}

/// Decorates: counts letters, however many attempts they take.
package struct CountingMailer: Mailer {
  let decorated: any Mailer
  let counters: MailCounters

  package init(decorated: any Mailer, counters: MailCounters) {
    self.decorated = decorated
    self.counters = counters
  }

  package func send(_ message: Message) throws {
    do { try decorated.send(message) } catch {
      counters.failed.add()
      throw error
    }
    counters.sent.add()
  }
}

package struct MailCounters: Sendable {
  package let sent = Counter()
  package let failed = Counter()

  package init() {}
}
