// SPDX-License-Identifier: MIT

package import HTTP

/// `POST /orders`: takes the items from the stock, writes the order, its audit and a message to the
/// customer, all of it or nothing. The client gets the response after the commit.
package struct PlaceOrder: Handler {
  let customer: Customer
  let pricing: Pricing
  let stock: any Stock
  let orders: any OrderStore
  let outbox: Outbox
  let audit: AuditTrail
  let json: JSON

  package init(
    customer: Customer, pricing: Pricing, stock: any Stock,
    orders: any OrderStore, outbox: Outbox, audit: AuditTrail, json: JSON
  ) {
    self.customer = customer
    self.pricing = pricing
    self.stock = stock
    self.orders = orders
    self.outbox = outbox
    self.audit = audit
    self.json = json
  }

  package func respond(to request: RoutedRequest) throws -> Response {
    let wanted = try json.decode(OrderRequest.self, from: request.body)
    try wanted.check()
    let lines = try wanted.lines.map { line in
      Order.Line(
        item: line.item, quantity: line.quantity,
        price: try pricing.price(of: line.item, quantity: line.quantity))
    }
    for line in lines { try stock.take(line.quantity, of: line.item) }
    let order = try orders.add(lines, for: customer)
    try audit.note("order \(order.id)", by: customer)
    try outbox.add(Message(receiptFor: order))
    var response = try json.response(order, status: 201)
    response.headers.append(("Location", "/orders/\(order.id)"))
    return response
  }
}
