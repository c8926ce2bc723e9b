// SPDX-License-Identifier: MIT

import Synchronization

/// A decorator that asks for a price once. A new list gets a new cache, since a decorator is made
/// for every decorated instance.
package final class CachingPriceList: PriceList {
  private let decorated: any PriceList
  private let counters: PriceCounters
  private let prices = Mutex<[String: Int]>([:])

  package init(decorated: any PriceList, counters: PriceCounters) {
    self.decorated = decorated
    self.counters = counters
  }

  package func price(of item: String) throws -> Int? {
    if let price = prices.withLock({ $0[item] }) {
      counters.hits.add()
      return price
    }
    counters.misses.add()
    // Misses are not cached: clients could ask for any number of names.
    guard let price = try decorated.price(of: item) else { return nil }
    prices.withLock { $0[item] = price }
    return price
  }
}

package struct PriceCounters: Sendable {
  package let hits = Counter()
  package let misses = Counter()

  package init() {}
}
