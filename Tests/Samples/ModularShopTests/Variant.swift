// SPDX-License-Identifier: MIT

import Corinth
import ModularShop

/// A test's way of changing the shop, and what comes of it.
struct Variant: Sendable, CustomStringConvertible {
  let description: String
  let expected: Story
  let configure: @Sendable (Container) throws -> Void

  init(
    _ description: String, _ expected: Story = Story(),
    _ configure: @escaping @Sendable (Container) throws -> Void
  ) {
    self.description = description
    self.expected = expected
    self.configure = configure
  }

  static let all: [Variant] = [
    Variant("nothing differs") { _ in },
    Variant("no tax", Story(total: 5_300)) { fork in
      try fork.register(value: TaxRate(percent: 0), as: TaxRate.self, onDuplicate: .require)
    },
    Variant("another catalog", Story(total: 1_080)) { fork in
      try fork.register((any Catalog).self, onDuplicate: .require) { _ in
        FixedCatalog(price: 1_000)
      }
    },
    Variant("no volume discount", Story(total: 7_080)) { fork in
      try fork.contribute(to: (any DiscountRule).self, name: "volume") { _ in NoDiscount() }
    },
    Variant("mail needs three attempts") { fork in
      let outbox = try fork.provider(for: Outbox.self)
      try fork.register((any MailTransport).self, onDuplicate: .require) { _ in
        UnreliableTransport(failures: 2, outbox: try outbox())
      }
    },
    Variant(
      "mail is down",
      Story(mails: [], errors: ["unreachable", "unreachable"])
    ) { fork in
      let outbox = try fork.provider(for: Outbox.self)
      try fork.register((any MailTransport).self, onDuplicate: .require) { _ in
        UnreliableTransport(failures: .max, outbox: try outbox())
      }
    },
    Variant("the card is declined", Story(invoices: ["invoice over 6360"])) { fork in
      try fork.register((any PaymentGateway).self, name: "card", onDuplicate: .require) { _ in
        DecliningGateway()
      }
    },
    Variant(
      "other settings",
      Story(total: 5_830, failing: ["mail"])
    ) { fork in
      try fork.register(
        value: Environment(["SERVICE_NAME": "Shop", "MAIL_SENDER": "nobody", "TAX_PERCENT": "10"]),
        as: Environment.self, onDuplicate: .require)
    },
  ]
}

struct FixedCatalog: Catalog {
  let price: Cents
  func price(of article: String) -> Cents { price }
}

private struct NoDiscount: DiscountRule {
  func discount(on price: Cents, for user: User) -> Cents { 0 }
}

private struct DecliningGateway: PaymentGateway {
  func pay(_ amount: Cents) throws { throw OrderError.paymentDeclined("no card") }
}
