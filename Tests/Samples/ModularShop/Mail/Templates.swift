// SPDX-License-Identifier: MIT

/// The texts of messages.
struct Templates: Sendable {
  let settings: ServiceSettings

  func receipt(_ order: Order) -> String {
    "\(settings.name): order \(order.id), \(order.total) in all"
  }
}

/// Writes a message to one user.
struct Letter: Sendable {
  let recipient: User
  let settings: ServiceSettings

  func message(_ text: String) -> Message {
    Message(recipient: recipient.email, text: "\(settings.name) to \(recipient.name): \(text)")
  }
}
