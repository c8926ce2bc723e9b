// SPDX-License-Identifier: MIT

package import HTTP

/// `GET /price/{item}`, with `?quantity=`.
package struct QuotePrice: Handler {
  let pricing: Pricing
  let json: JSON

  package init(pricing: Pricing, json: JSON) {
    self.pricing = pricing
    self.json = json
  }

  package func respond(to request: RoutedRequest) throws -> Response {
    let quantity = try request.number("quantity", default: 1, in: 1...1_000)
    let item = request.parameter
    return try json.response(
      Quote(
        item: item, quantity: quantity, price: try pricing.price(of: item, quantity: quantity)))
  }

  private struct Quote: Encodable {
    let item: String
    let quantity: Int
    let price: Int
  }
}
