// SPDX-License-Identifier: MIT
// Two singletons that need each other: the first holds a provider of the second.

// snippet.show
import Corinth

final class Orders: Sendable {
  let customers: Customers
  init(customers: Customers) { self.customers = customers }
}

final class Customers: Sendable {
  let orders: Provider<Orders>
  init(orders: Provider<Orders>) { self.orders = orders }
}

let container = Container()
try container.register(Orders.self, scope: .singleton) { r in Orders(customers: try r.resolve()) }
try container.register(Customers.self, scope: .singleton) { r in
  Customers(orders: try r.provider(for: Orders.self))
}

let orders = try container.resolve(Orders.self)
print(try orders.customers.orders() === orders)
