// SPDX-License-Identifier: MIT

package protocol DiscountRule: Sendable {
  func discount(on price: Cents, for user: User) -> Cents
}

/// A tenth off from 50.00 on.
struct VolumeDiscount: DiscountRule {
  func discount(on price: Cents, for user: User) -> Cents { price >= 5_000 ? price / 10 : 0 }
}

/// One off for those who came first.
struct EarlyUserDiscount: DiscountRule {
  func discount(on price: Cents, for user: User) -> Cents { user.id <= 1 ? 100 : 0 }
}

struct Pricing: Sendable {
  let catalog: any Catalog
  let rules: [any DiscountRule]
  let tax: TaxRate

  func total(of article: String, for user: User) throws -> Cents {
    let price = try catalog.price(of: article)
    let net = rules.reduce(price) { $0 - $1.discount(on: price, for: user) }
    return net + net * tax.percent / 100
  }
}
