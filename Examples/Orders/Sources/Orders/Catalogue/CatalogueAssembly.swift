// SPDX-License-Identifier: MIT

package import Corinth

/// Items, prices, stock.
package struct CatalogueAssembly: Assembly {
  package init() {}

  package var dependencies: [any Assembly] { [StorageAssembly()] }

  package func assemble(container: Container) throws {
    try container.wire((any PriceList).self, scope: .singleton, using: StoredPriceList.init)
    try container.decorate((any PriceList).self) { list, resolver in
      CachingPriceList(decorated: list, counters: try resolver.resolve())
    }
    try container.wire(PriceCounters.self, scope: .singleton, using: PriceCounters.init)
    try container.wire(
      (any DiscountRule).self, name: "volume", scope: .singleton, using: VolumeDiscount.init)
    try container.register(value: MemberDiscount(), as: (any DiscountRule).self, name: "member")
    // Prices are asked for all the time: the rules of all modules are collected once.
    try container.register([any DiscountRule].self, scope: .singleton) { try $0.resolveAll() }
    try container.wire(Pricing.self, using: Pricing.init)
    try container.wire((any Stock).self, using: StoredStock.init)
    // A transient one would get the container that asks, which is the scope of a request.
    try container.register((any PriceListSwitch).self, scope: .singleton) { resolver in
      ContainerPriceListSwitch(container: try resolver.container)
    }
    try container.contribute(to: Migration.self) { _ in .catalogue }

    try container.wire(QuotePrice.self, using: QuotePrice.init)
    try container.wire(ChangePriceList.self, using: ChangePriceList.init)
    try container.contribute(to: ContainerRoutes.self) { _ in
      ContainerRoutes(
        .get("/price/{item}") { try $0.resolve(QuotePrice.self) },
        .put("/admin/price-list") { try $0.resolve(ChangePriceList.self) })
    }
    try container.wire((any HealthCheck).self, name: .element(), using: CatalogueCheck.init)
    try container.wire((any MetricSource).self, name: .element(), using: PriceMetrics.init)
  }
}
