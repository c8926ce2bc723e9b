// SPDX-License-Identifier: MIT

package import HTTP

/// `GET /orders/{id}`: an order of the user.
package struct ShowOrder: Handler {
  let history: OrderHistory
  let json: JSON

  package init(history: OrderHistory, json: JSON) {
    self.history = history
    self.json = json
  }

  package func respond(to request: RoutedRequest) throws -> Response {
    guard let id = Int(request.parameter), id > 0 else {
      throw RequestError.badRequest("\"\(request.parameter)\" is not an order number.")
    }
    guard let order = try history.order(id) else {
      throw RequestError.notFound("There is no order \(id).")
    }
    return try json.response(order)
  }
}

/// `GET /orders`: those of the user, a page at a time, with `?after=` and `?limit=`.
package struct ListOrders: Handler {
  let history: OrderHistory
  let json: JSON

  package init(history: OrderHistory, json: JSON) {
    self.history = history
    self.json = json
  }

  package func respond(to request: RoutedRequest) throws -> Response {
    let orders = try history.orders(
      after: request.number("after", default: 0, in: 0...Int.max),
      limit: request.number("limit", default: 20, in: 1...100))
    return try json.response(orders)
  }
}
