// SPDX-License-Identifier: MIT

package import Corinth

/// Orders: to place and to show orders.
package struct OrderingAssembly: Assembly {
  package init() {}

  package var dependencies: [any Assembly] {
    [ConfigurationAssembly(), StorageAssembly(), CatalogAssembly(), MailAssembly()]
  }

  package func assemble(container: Container) throws {
    try container.wire(Customer.self, using: Customer.init)
    try container.wire((any OrderStore).self, using: StoredOrders.init)
    try container.wire(OrderHistory.self, using: OrderHistory.init)
    try container.wire(AuditTrail.self, using: AuditTrail.init)
    try container.contribute(to: Migration.self, value: .orders)

    try container.wire(PlaceOrder.self, using: PlaceOrder.init)
    try container.wire(ShowOrder.self, using: ShowOrder.init)
    try container.wire(ListOrders.self, using: ListOrders.init)
    try container.contribute(to: ContainerRoutes.self, with: .dependsOn()) { _ in
      ContainerRoutes(
        .post("/orders") { try $0.resolve(PlaceOrder.self) },
        .get("/orders") { try $0.resolve(ListOrders.self) },
        .get("/orders/{id}") { try $0.resolve(ShowOrder.self) })
    }
  }
}
