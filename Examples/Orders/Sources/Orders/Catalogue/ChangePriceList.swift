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
    guard let token = settings.adminToken,
      let sent = request.header("Authorization"), sent.isSameSecret(as: "Bearer \(token)")
    else {
      throw RequestError(403, "This needs the token of an operator.")
    }
    let prices = try json.decode([String: Int].self, from: request.body)
    guard !prices.isEmpty, prices.values.allSatisfy({ 0...100_000_000 ~= $0 }) else {
      throw RequestError.badRequest("A price list has prices, in cents, of 0 or more.")
    }
    try priceListSwitch.use(UploadedPriceList(prices: prices))
    log.write("price list exchanged: \(prices.count) items")
    return Response(status: 204)
  }
}

extension String {
  /// Compares all bytes, so that the time it takes does not tell how many are right. It may tell the length.
  fileprivate func isSameSecret(as other: String) -> Bool {
    guard utf8.count == other.utf8.count else { return false }
    return zip(utf8, other.utf8).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
