// SPDX-License-Identifier: MIT

import Corinth

/// Copies the archive back into the store.
package struct Backup: Sendable {
  let store: any RowStore
  let archive: Named<any RowStore, Archive>

  /// - Returns: how many orders were copied.
  package func restore() throws -> Int {
    let orders = try archive.value.rows(under: "orders/").compactMap(Order.init(row:))
    for order in orders { try store.write(["orders/\(order.id)": order.row]) }
    return orders.count
  }
}
