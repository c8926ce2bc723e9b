// SPDX-License-Identifier: MIT

import Corinth

/// Orders, of which the paid ones move to the archive.
package protocol OrderRepository: Sendable {
  func all() throws -> [Order]
  func archive(_ order: Order) throws
}

final class StoredOrders: OrderRepository {
  private let store: any RowStore
  private let archive: Named<any RowStore, Archive>

  init(store: any RowStore, archive: Named<any RowStore, Archive>) {
    (self.store, self.archive) = (store, archive)
  }

  func all() throws -> [Order] { try store.rows(under: "orders/").compactMap(Order.init(row:)) }

  func archive(_ order: Order) throws {
    try archive.value.write(["orders/\(order.id)": order.row])
  }
}
