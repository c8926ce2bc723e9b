// SPDX-License-Identifier: MIT

import ModularShop
import Synchronization

/// Fails so many times before it delivers.
final class UnreliableTransport: MailTransport {
  private let failures: Mutex<Int>
  private let outbox: Outbox

  init(failures: Int, outbox: Outbox) {
    self.failures = Mutex(failures)
    self.outbox = outbox
  }

  func deliver(_ message: Message, from sender: String) throws {
    try failures.withLock { failures in
      if failures > 0 {
        failures -= 1
        throw MailError.unreachable
      }
    }
    outbox.deliver(message, from: sender)
  }
}
