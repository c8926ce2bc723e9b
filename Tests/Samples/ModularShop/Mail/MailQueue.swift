// SPDX-License-Identifier: MIT

import Synchronization

/// Messages that are sent later, at the latest when the service ends.
final class MailQueue: Sendable {
  private let mailer: any Mailer
  private let waiting = Mutex<[Message]>([])

  init(mailer: any Mailer) {
    self.mailer = mailer
  }

  func add(_ message: Message) { waiting.withLock { $0.append(message) } }

  func flush() throws {
    let messages = waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
    for message in messages { try mailer.send(message) }
  }
}
