// SPDX-License-Identifier: MIT

import Glibc

/// Takes letters away.
package protocol MailTransport: Sendable {
  /// - Throws: ``MailError`` if another attempt may succeed.
  func deliver(_ message: Message, from sender: String) throws
}

package struct MailError: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) {
    self.description = description
  }
}

/// Appends letters to a file, in place of a mail server.
package final class SpoolTransport: MailTransport {
  private let path: String
  private let file: Int32

  package init(settings: MailSettings) throws {
    path = settings.spool
    file = unsafe open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    if file < 0 { throw MailError("\(path) cannot be opened") }
  }

  package func deliver(_ message: Message, from sender: String) throws {
    var letter = "From: \(sender)\nTo: \(message.recipient)\n\n\(message.text)\n\n"
    let count = letter.utf8.count
    let written = letter.withUTF8 { unsafe write(file, $0.baseAddress, $0.count) }
    guard written == count else { throw MailError("\(path) cannot be written") }
  }

  deinit { close(file) }
}
