// SPDX-License-Identifier: MIT

package import Corinth

/// Articles, prices, payments, orders.
package struct OrdersAssembly: Assembly {
  package init() {}

  package var dependencies: [any Assembly] {
    [StorageAssembly(), UsersAssembly(), MailAssembly()]
  }

  package func assemble(container: Container) throws {
    try container.wire((any Catalog).self, scope: .singleton, using: StoredCatalog.init)
    try container.wire((any OrderRepository).self, scope: .singleton, using: StoredOrders.init)
    try container.wire(Inventory.self, scope: .singleton, using: Inventory.init)
    try container.contribute(to: (any DiscountRule).self, name: "volume", value: VolumeDiscount())
    try container.contribute(to: (any DiscountRule).self, name: "early", value: EarlyUserDiscount())
    try container.wire(Pricing.self, using: Pricing.init)
    try container.wire((any PaymentGateway).self, name: Card.name, using: CardGateway.init)
    try container.wire(
      (any PaymentGateway).self, name: Invoice.name, using: InvoiceGateway.init)
    try container.wire(Payments.self, using: Payments.init)
    try container.wire(Checkout.self, scope: .scoped, using: Checkout.init)
    try container.wire(OrderHistory.self, scope: .scoped, using: OrderHistory.init)
    try container.contribute(
      to: Migration.self,
      value: Migration(
        name: "orders",
        rows: ["articles/book": ["2000"], "articles/atlas": ["6000"], "articles/pen": ["300"]]))
    try container.wire((any HealthCheck).self, name: .element(), using: CatalogCheck.init)
  }
}

private struct CatalogCheck: HealthCheck {
  let catalog: any Catalog
  var subject: String { "catalog" }
  var isHealthy: Bool { (try? catalog.price(of: "book")) != nil }
}
