// SPDX-License-Identifier: MIT

import Synchronization

package struct Message: Sendable, Equatable {
  package let recipient: String
  package let text: String
}

package protocol MailTransport: Sendable {
  func deliver(_ message: Message, from sender: String) throws
}

package enum MailError: Error, Equatable {
  case unreachable
  case refused(String)
}

/// Keeps what it delivers.
package final class Outbox: MailTransport {
  private let messages = Mutex<[Message]>([])

  package init() {}

  package var delivered: [Message] { messages.withLock { $0 } }

  package func deliver(_ message: Message, from sender: String) {
    messages.withLock { $0.append(message) }
  }
}
