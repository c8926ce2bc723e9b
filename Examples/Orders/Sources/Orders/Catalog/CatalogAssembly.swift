// SPDX-License-Identifier: MIT

package import Corinth

/// Items, prices, stock.
package struct CatalogAssembly: Assembly {
  package init() {}

  package var dependencies: [any Assembly] { [StorageAssembly()] }

  package func assemble(container: Container) throws {
    // The dependencies of the decorators are declared: a reload has to know all dependencies.
    try container.wire(
      (any PriceList).self, scope: .singleton, with: .dependsOn(PriceCounters.self),
      using: StoredPriceList.init)
    try container.decorate((any PriceList).self) { list, resolver in
      CachingPriceList(decorated: list, counters: try resolver.resolve())
    }
    try container.wire(PriceCounters.self, scope: .singleton, using: PriceCounters.init)
    try container.wire(
      (any DiscountRule).self, name: "volume", scope: .singleton, using: VolumeDiscount.init)
    try container.register(value: MemberDiscount(), as: (any DiscountRule).self, name: "member")
    try container.wire(DiscountRules.self, scope: .singleton, using: DiscountRules.init)
    try container.wire(TaxTable.self, scope: .singleton, with: .eager, using: TaxTable.init)
    try container.wire(TaxTableReload.self, scope: .singleton, using: TaxTableReload.init)
    try container.wire(Pricing.self, using: Pricing.init)
    try container.wire((any Stock).self, using: StoredStock.init)
    try container.wire(
      (any PriceListSwitch).self, scope: .singleton, using: ReloadingPriceListSwitch.init)
    try container.contribute(to: Migration.self, value: .catalog)

    try container.wire(QuotePrice.self, using: QuotePrice.init)
    try container.wire(ChangePriceList.self, using: ChangePriceList.init)
    try container.contribute(to: ContainerRoutes.self, with: .dependsOn()) { _ in
      ContainerRoutes(
        .get("/price/{item}") { try $0.resolve(QuotePrice.self) },
        .put("/admin/price-list") { try $0.resolve(ChangePriceList.self) })
    }
    try container.wire((any HealthCheck).self, name: .element(), using: CatalogCheck.init)
    try container.wire((any MetricSource).self, name: .element(), using: PriceMetrics.init)
  }
}
