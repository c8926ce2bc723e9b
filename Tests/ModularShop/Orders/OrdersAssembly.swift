// SPDX-License-Identifier: MIT

package import Corinth

/// Articles, prices, payments, orders.
package struct OrdersAssembly: Assembly {
  package init() {}

  package var dependencies: [any Assembly] {
    [StorageAssembly(), UsersAssembly(), MailAssembly()]
  }

  package func assemble(container: Container) throws {
    try container.register((any Catalogue).self, using: StoredCatalogue.init).asSingleton()
    try container.register((any OrderRepository).self, using: StoredOrders.init).asSingleton()
    try container.register(Inventory.self, using: Inventory.init).asSingleton()
    try container.contribute(to: (any DiscountRule).self, name: "volume", value: VolumeDiscount())
    try container.contribute(to: (any DiscountRule).self, name: "early", value: EarlyUserDiscount())
    try container.register(Pricing.self, using: Pricing.init)
    try container.register((any PaymentGateway).self, name: Card.name, using: CardGateway.init)
    try container.register(
      (any PaymentGateway).self, name: Invoice.name, using: InvoiceGateway.init)
    try container.register(Payments.self, using: Payments.init)
    try container.register(Checkout.self, using: Checkout.init).asScoped()
    try container.register(OrderHistory.self, using: OrderHistory.init).asScoped()
    try container.contribute(
      to: Migration.self,
      value: Migration(
        name: "orders",
        rows: ["articles/book": ["2000"], "articles/atlas": ["6000"], "articles/pen": ["300"]]))
    try container.contribute(to: (any HealthCheck).self, using: CatalogueCheck.init)
  }
}

private struct CatalogueCheck: HealthCheck {
  let catalogue: any Catalogue
  var subject: String { "catalogue" }
  var isHealthy: Bool { (try? catalogue.price(of: "book")) != nil }
}
