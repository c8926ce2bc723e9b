// SPDX-License-Identifier: MIT

import Corinth
import Foundation

/// The application that the guide tests.
protocol Mailer: Sendable {
  func send(_ letter: String) throws
}

protocol Catalog: Sendable {
  func price(of article: String) throws -> Int
}

final class Checkout: Sendable {
  private let mailer: any Mailer
  private let catalog: any Catalog

  init(mailer: any Mailer, catalog: any Catalog) {
    self.mailer = mailer
    self.catalog = catalog
  }

  @discardableResult
  func buy(_ article: String) throws -> Int {
    let price = try catalog.price(of: article)
    try mailer.send("a \(article) is on its way")
    return price
  }

  func price(of article: String) throws -> Int { try catalog.price(of: article) }
}

struct Receipt: Sendable {
  let number: Int
}

struct NoNetwork: Error {}

struct SMTPMailer: Mailer {
  func send(_ letter: String) throws { throw NoNetwork() }
}

struct PrintedCatalog: Catalog {
  func price(of article: String) -> Int { article.count * 40 }
}

func makeApplication() throws -> Container {
  let container = Container()
  try container.register((any Mailer).self, scope: .singleton) { _ in SMTPMailer() }
  try container.register((any Catalog).self, scope: .singleton) { _ in PrintedCatalog() }
  try container.wire(Checkout.self, scope: .singleton, using: Checkout.init).onDispose { _ in }
  try container.register(Receipt.self) { (_, number: Int) in Receipt(number: number) }
  try container.freeze()
  return container
}

let application: Container = {
  do { return try makeApplication() } catch { fatalError("application: \(error)") }
}()

// MARK: - Doubles

struct Sale: Catalog {
  func price(of article: String) -> Int { 100 }
}

final class RecordingMailer: Mailer, @unchecked Sendable {
  // SAFETY: only touched with the lock held.
  private var sent: [String] = []
  private let lock = NSLock()

  func send(_ letter: String) { lock.withLock { sent.append(letter) } }
  var letters: [String] { lock.withLock { sent } }
}
