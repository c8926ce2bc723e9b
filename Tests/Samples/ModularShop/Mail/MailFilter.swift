// SPDX-License-Identifier: MIT

package protocol MailFilter: Sendable {
  var reason: String { get }
  func accepts(_ message: Message) -> Bool
}

struct SizeFilter: MailFilter {
  var reason: String { "too long" }
  func accepts(_ message: Message) -> Bool { message.text.count <= 200 }
}

struct AddressFilter: MailFilter {
  var reason: String { "not an address" }
  func accepts(_ message: Message) -> Bool { message.recipient.contains("@") }
}
