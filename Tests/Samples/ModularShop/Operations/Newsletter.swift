// SPDX-License-Identifier: MIT

/// Writes to all users at once, where it is switched on.
package struct Newsletter: Sendable {
  let users: any UserRepository
  let mailer: any Mailer
  let flags: FeatureFlags
  let letter: @Sendable (User) throws -> Letter

  /// - Returns: how many were written to.
  @discardableResult
  package func publish(_ text: String) throws -> Int {
    guard flags.isOn("newsletter") else { return 0 }
    let recipients = try users.all()
    for user in recipients { try mailer.send(letter(user).message(text)) }
    return recipients.count
  }
}
