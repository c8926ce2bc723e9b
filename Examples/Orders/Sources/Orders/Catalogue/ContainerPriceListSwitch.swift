// SPDX-License-Identifier: MIT

import Corinth

/// Overrides the registration of the price list. The decorators go around the new one too, with caches of their own.
package struct ContainerPriceListSwitch: PriceListSwitch {
  let container: Container

  package func use(_ list: any PriceList) throws {
    try container.syncReplace((any PriceList).self) { _ in list }
  }
}
