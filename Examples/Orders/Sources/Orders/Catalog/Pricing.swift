// SPDX-License-Identifier: MIT

/// Takes something off a price. Modules contribute rules.
package protocol DiscountRule: Sendable {
  /// - Returns: in percent.
  func discount(quantity: Int, user: User) -> Int
}

/// For many of one item.
package struct VolumeDiscount: DiscountRule {
  let settings: PriceSettings

  package init(settings: PriceSettings) {
    self.settings = settings
  }

  package func discount(quantity: Int, user: User) -> Int { quantity >= settings.volume ? 10 : 0 }
}

/// For users who are logged in.
package struct MemberDiscount: DiscountRule {
  package init() {}
  package func discount(quantity: Int, user: User) -> Int { user.name == nil ? 0 : 5 }
}

/// The rules of all modules, collected once: prices are asked for all the time.
package struct DiscountRules: Sendable {
  let all: [any DiscountRule]

  package init(all: [any DiscountRule]) {
    self.all = all
  }
}

/// The price of a quantity of an item for one user.
package struct Pricing: Sendable {
  let list: any PriceList
  let rules: DiscountRules
  let taxes: TaxTable
  let user: User

  package init(list: any PriceList, rules: DiscountRules, taxes: TaxTable, user: User) {
    self.list = list
    self.rules = rules
    self.taxes = taxes
    self.user = user
  }

  /// - Returns: in cents, with tax, rounded down.
  package func price(of item: String, quantity: Int) throws -> Int {
    guard let price = try list.price(of: item) else {
      throw RequestError.notFound("There is no item \"\(item)\".")
    }
    let discount = rules.all.map { $0.discount(quantity: quantity, user: user) }.max() ?? 0
    return price * quantity * (100 - discount) * (100 + taxes.percent(of: item)) / 10_000
  }
}
