// SPDX-License-Identifier: MIT

import Orders

extension Routes<RequestObjects> {
  static var catalog: Self {
    Self(
      .get("/price/{item}") { QuotePrice(pricing: $0.pricing, json: $0.service.json) },
      .put("/admin/price-list") { request in
        let service = request.service
        return ChangePriceList(
          priceListSwitch: service.currentPriceList, settings: service.server,
          json: service.json, log: service.log)
      })
  }

  static var ordering: Self {
    Self(
      .post("/orders") { request in
        let service = request.service
        let work = request.work
        return PlaceOrder(
          customer: try Customer(user: request.user), pricing: request.pricing,
          stock: StoredStock(work: work), orders: StoredOrders(work: work, time: service.time),
          outbox: Outbox(work: work),
          audit: AuditTrail(work: work, request: request.id, time: service.time),
          json: service.json)
      },
      .get("/orders") { request in
        ListOrders(history: try request.history, json: request.service.json)
      },
      .get("/orders/{id}") { request in
        ShowOrder(history: try request.history, json: request.service.json)
      })
  }

  static var operations: Self {
    Self(
      .get("/health") { request in
        let service = request.service
        return ShowHealth(checks: service.checks, uptime: service.uptime, json: service.json)
      },
      .get("/metrics") { ShowMetrics(sources: $0.service.sources) })
  }
}

extension RequestObjects {
  fileprivate var history: OrderHistory {
    get throws { OrderHistory(pool: service.pool, customer: try Customer(user: user)) }
  }
}
