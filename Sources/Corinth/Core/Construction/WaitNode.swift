// SPDX-License-Identifier: MIT

/// A node of the wait-for graph, with the mutex of the graph held: the target of waits, and the
/// place of waits by callers inside.
enum WaitNode {
  case construction(Construction)
  case disposal(DisposalContext)

  var object: AnyObject {
    switch self {
    case .construction(let construction): construction
    case .disposal(let disposal): disposal
    }
  }

  var construction: Construction? {
    if case .construction(let construction) = self { construction } else { nil }
  }

  /// The nodes that must end or progress before the node ends.
  var awaited: [WaitNode] {
    switch self {
    case .construction(let construction):
      construction.links.waits.values.compactMap(\.node)
        + construction.links.phase.holders(of: construction).map { .construction($0) }
    case .disposal(let disposal):
      disposal.waits.values.compactMap(\.node)
        + disposal.awaitedStates.compactMap { WaitForGraph.join(.state($0)) }
        .map { .construction($0) }
    }
  }

  func add(waiter wait: Wait) {
    switch self {
    case .construction(let construction):
      construction.links.waiters[ObjectIdentifier(wait)] = wait
    case .disposal(let disposal): disposal.waiters[ObjectIdentifier(wait)] = wait
    }
  }

  func remove(waiter wait: Wait) {
    switch self {
    case .construction(let construction): construction.links.waiters[ObjectIdentifier(wait)] = nil
    case .disposal(let disposal): disposal.waiters[ObjectIdentifier(wait)] = nil
    }
  }
}
