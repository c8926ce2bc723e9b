// SPDX-License-Identifier: MIT

/// The orders of the user who makes a request.
package struct OrderHistory: Sendable {
  let buyer: CurrentUser
  let orders: any OrderRepository

  package func articles() throws -> [String] {
    try orders.all().filter { $0.buyer == buyer.user.id }.map(\.article)
  }
}
