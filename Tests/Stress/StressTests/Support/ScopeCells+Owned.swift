// SPDX-License-Identifier: MIT

@testable import Corinth

extension ScopeCells {
  /// The cells that have owners.
  var owned: some Sequence<ScopeCell> {
    sequence(state: Optional(first)) { next in
      while let cell = next, cell.owner == ScopeCell.endOfBlock { next = cell.nextBlock }
      guard let cell = next, cell.owner > ScopeCell.endOfBlock else { return nil }
      next = cell.next
      return cell
    }
  }
}
