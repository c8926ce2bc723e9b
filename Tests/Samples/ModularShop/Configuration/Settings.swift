// SPDX-License-Identifier: MIT

struct ServiceSettings: Sendable {
  let name: String

  init(environment: Environment) throws {
    name = try environment.text("SERVICE_NAME")
  }
}

struct StorageSettings: Sendable {
  let connections: Int

  init(environment: Environment) throws {
    connections = try environment.number("CONNECTIONS", default: 4)
  }
}

struct MailSettings: Sendable {
  let sender: String
  let attempts: Int

  init(environment: Environment) throws {
    sender = try environment.text("MAIL_SENDER")
    attempts = try environment.number("MAIL_ATTEMPTS", default: 3)
  }
}

/// In hundredths.
package struct TaxRate: Sendable {
  let percent: Int

  package init(percent: Int) {
    self.percent = percent
  }

  init(environment: Environment) throws {
    percent = try environment.number("TAX_PERCENT", default: 20)
  }
}

/// What signs tokens.
struct Secret: Sendable {
  let salt: Int

  init(environment: Environment) throws {
    salt = try environment.number("SECRET", default: 4711)
  }
}
