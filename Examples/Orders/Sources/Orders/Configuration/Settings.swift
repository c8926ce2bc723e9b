// SPDX-License-Identifier: MIT

package import SQLite

/// Where the service listens, and with how many threads.
package struct ServerSettings: Sendable {
  package let address: String
  package let port: UInt16
  package let threads: Int
  /// The token that operators must send. Without it prices cannot be changed, and the container
  /// cannot be seen.
  package let adminToken: String?

  package init(environment: Environment) throws {
    address = environment.text("ADDRESS", default: "127.0.0.1")
    port = UInt16(try environment.number("PORT", default: 8080, in: 0...65_535))
    threads = try environment.number("THREADS", default: 4, in: 1...256)
    adminToken = environment.text("ADMIN_TOKEN")
    // An empty one would let everybody in.
    if let adminToken, adminToken.utf8.count < 16 {
      throw ConfigurationError(
        secret: "ADMIN_TOKEN", expected: "at least 16 bytes long, or not set")
    }
  }
}

/// Where the orders are kept.
package struct StorageSettings: Sendable {
  package let path: String
  package let readers: Int
  package let durability: Durability

  package init(environment: Environment, server: ServerSettings) throws {
    path = environment.text("DATABASE", default: "orders.db")
    // A connection for every thread of the server, and a connection for the worker.
    readers = try environment.number("READERS", default: server.threads + 1, in: 1...256)
    let text = environment.text("SYNCHRONOUS", default: Durability.full.rawValue)
    guard let durability = Durability(rawValue: text) else {
      throw ConfigurationError(
        variable: "SYNCHRONOUS", value: text, expected: "FULL or NORMAL")
    }
    self.durability = durability
  }
}

/// How prices come about.
package struct PriceSettings: Sendable {
  /// The tax on items missing in the tax table.
  package let taxPercent: Int
  /// A file, which is read again at SIGHUP.
  package let taxTable: String?
  package let volume: Int

  package init(environment: Environment) throws {
    taxPercent = try environment.number("TAX_PERCENT", default: 20, in: 0...100)
    taxTable = environment.text("TAX_TABLE")
    volume = try environment.number("VOLUME_DISCOUNT_FROM", default: 10, in: 2...1_000)
  }
}

/// The sender of mail, and the way of sending.
package struct MailSettings: Sendable {
  package let sender: String
  package let spool: String
  package let attempts: Int
  /// How many letters the worker takes from the outbox at once.
  package let batch: Int
  /// How long it waits when the outbox is empty.
  package let pause: Duration
  /// The wait before failed letters are tried again. The wait doubles with every failure.
  package let retry: Duration

  package init(environment: Environment) throws {
    sender = environment.text("MAIL_SENDER", default: "orders@shop.test")
    spool = environment.text("MAIL_SPOOL", default: "/dev/null")
    attempts = try environment.number("MAIL_ATTEMPTS", default: 3, in: 1...10)
    batch = try environment.number("MAIL_BATCH", default: 200, in: 1...10_000)
    pause = .milliseconds(
      try environment.number("MAIL_PAUSE_MILLISECONDS", default: 50, in: 1...60_000))
    retry = .seconds(try environment.number("MAIL_RETRY_SECONDS", default: 1, in: 1...3_600))
  }
}

/// The logs and metrics of the service.
package struct ReportSettings: Sendable {
  package let logsRequests: Bool
  package let countsConstructions: Bool

  package init(environment: Environment) throws {
    logsRequests = try environment.isOn("LOG_REQUESTS", default: false)
    countsConstructions = try environment.isOn("COUNT_CONSTRUCTIONS", default: true)
  }
}
