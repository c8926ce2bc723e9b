// SPDX-License-Identifier: MIT

/// Buys one article for the user of the request.
package final class Checkout: Sendable {
  private let buyer: CurrentUser
  private let inventory: Inventory
  private let pricing: Pricing
  private let payments: Payments
  private let identifiers: Identifiers
  private let work: UnitOfWork
  private let templates: Templates
  private let queue: MailQueue

  init(
    buyer: CurrentUser, inventory: Inventory, pricing: Pricing, payments: Payments,
    identifiers: Identifiers, work: UnitOfWork, templates: Templates, queue: MailQueue
  ) {
    (self.buyer, self.inventory, self.pricing) = (buyer, inventory, pricing)
    (self.payments, self.identifiers, self.work) = (payments, identifiers, work)
    (self.templates, self.queue) = (templates, queue)
  }

  @discardableResult
  package func buy(_ article: String) throws -> Order {
    try inventory.take(article)
    do {
      let total = try pricing.total(of: article, for: buyer.user)
      try payments.pay(total)
      let order = Order(
        id: identifiers.next(), buyer: buyer.user.id, article: article, total: total)
      work.set("orders/\(order.id)", order.row)
      queue.add(Message(recipient: buyer.user.email, text: templates.receipt(order)))
      return order
    } catch {
      inventory.giveBack(article)
      throw error
    }
  }
}
