// SPDX-License-Identifier: MIT

package import HTTP

/// Exchanges the price list of a service that runs.
package protocol PriceListSwitch: Sendable {
  func use(_ list: any PriceList) throws
}

/// `PUT /admin/price-list`: other prices, until the service is started again.
package struct ChangePriceList: Handler {
  let priceListSwitch: any PriceListSwitch
  let settings: ServerSettings
  let json: JSON
  let log: any Log

  package init(
    priceListSwitch: any PriceListSwitch, settings: ServerSettings, json: JSON, log: any Log
  ) {
    self.priceListSwitch = priceListSwitch
    self.settings = settings
    self.json = json
    self.log = log
  }

  package func respond(to request: RoutedRequest) throws -> Response {
    try request.requireOperator(settings)
    let prices = try json.decode([String: Int].self, from: request.body)
    guard !prices.isEmpty, prices.values.allSatisfy({ 0...100_000_000 ~= $0 }) else {
      throw RequestError.badRequest("A price list has prices, in cents, of 0 or more.")
    }
    try priceListSwitch.use(UploadedPriceList(prices: prices))
    log.write("price list exchanged: \(prices.count) items")
    return Response(status: 204)
  }
}
