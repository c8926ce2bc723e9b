// SPDX-License-Identifier: MIT

import Corinth
import TestSupport

/// A small application, as the tests of one see it.
protocol Mailer: Sendable {
  var label: String { get }
}

/// Mails nothing, and has a label that tells it from others.
struct LabeledMailer: Mailer {
  let label: String
}

/// A singleton that has a dependency and has to be disposed of.
final class Checkout: Tracked, @unchecked Sendable {
  let mailer: any Mailer

  init(_ mailer: any Mailer, _ tracker: LifetimeTracker) {
    self.mailer = mailer
    super.init(tracker)
  }
}

/// The same for a request.
final class Basket: Tracked, @unchecked Sendable {}

/// Code under test that finds its container by itself.
struct CheckoutPage {
  @Injected var checkout: Checkout
}

struct Shop: Sendable {
  let container = Container()
  let tracker = LifetimeTracker()
  let disposals = AtomicCounter()

  init() {
    do { try register() } catch { fatalError("Shop.init: \(error)") }
  }

  private func register() throws {
    let (tracker, disposals) = (tracker, disposals)
    try container.register((any Mailer).self, scope: .singleton) { _ in
      LabeledMailer(label: "real")
    }
    try container.register(Checkout.self, scope: .singleton) { Checkout(try $0.resolve(), tracker) }
      .onDispose { _ in disposals.add() }
    try container.register(Basket.self, scope: .scoped) { _ in Basket(tracker) }
      .onDispose { _ in disposals.add() }
  }
}

extension Container {
  @discardableResult
  func overrideMailer(_ label: String) throws -> Registration<any Mailer> {
    try register((any Mailer).self, onDuplicate: .require) { _ in LabeledMailer(label: label) }
  }

  /// The label that reaches the singleton.
  var label: String {
    get throws { try resolve(Checkout.self).mailer.label }
  }
}
