// SPDX-License-Identifier: MIT

import Corinth

/// The numbers of the day.
package struct DailyReport: Sendable {
  let orders: any OrderRepository
  let users: any UserRepository
  let health: Lazy<Health>

  package func text() throws -> String {
    let orders = try orders.all()
    let total = orders.reduce(0) { $0 + $1.total }
    let failing = try health.value.failing
    return """
      users: \(try users.all().count), orders: \(orders.count), cents: \(total), \
      \(failing.isEmpty ? "all healthy" : "failing: \(failing.joined(separator: ", "))")
      """
  }
}
