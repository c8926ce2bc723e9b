// SPDX-License-Identifier: MIT

@testable import Corinth

extension ScopeCells {
  /// The cells that have owners, the oldest first.
  var owned: [ScopeCell] {
    var owned: [ScopeCell] = []
    forEachOwned { owned.append($1) }
    return owned
  }
}
