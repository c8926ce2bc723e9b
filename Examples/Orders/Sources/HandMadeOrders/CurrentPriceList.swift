// SPDX-License-Identifier: MIT

import Orders
import Synchronization

/// The current price list, with the decorator.
final class CurrentPriceList: PriceListSwitch {
  private let counters: PriceCounters
  private let list: Mutex<any PriceList>

  init(pool: ConnectionPool, counters: PriceCounters) {
    self.counters = counters
    list = Mutex(CachingPriceList(decorated: StoredPriceList(pool: pool), counters: counters))
  }

  var value: any PriceList { list.withLock { $0 } }

  func use(_ list: any PriceList) {
    let decorated = CachingPriceList(decorated: list, counters: counters)
    self.list.withLock { $0 = decorated }
  }
}
