// SPDX-License-Identifier: MIT
// Two singletons that refer to each other: by an initializer, and by afterInit.

// snippet.show
import Corinth

final class Orders: Sendable {
  let customers: Customers
  init(customers: Customers) { self.customers = customers }
}

// SAFETY: `orders` is written in afterInit, before another thread gets the instance, and not after.
final class Customers: @unchecked Sendable {
  // Weak: two strong references to each other would outlive the container, which stores both.
  fileprivate(set) weak var orders: Orders?
}

func makeContainer() throws -> Container {
  let container = Container()
  try container.register(Orders.self, scope: .singleton) { resolver in
    Orders(customers: try resolver.resolve())
  }
  try container.register(
    Customers.self, scope: .singleton,
    with: .afterInit { resolver, customers in customers.orders = try resolver.resolve() }
  ) { _ in Customers() }
  return container
}

// The order of the resolves is free.
let one = try makeContainer()
let orders = try one.resolve(Orders.self)
print(orders.customers.orders === orders)

let other = try makeContainer()
let customers = try other.resolve(Customers.self)
print(customers.orders?.customers === customers)
