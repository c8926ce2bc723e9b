// SPDX-License-Identifier: MIT

/// A search of the wait-for graph that begins at a closing. Only made with the graph's mutex held.
struct ClosingSearch {
  /// A closing that waits for the constructions under way in some states.
  struct Settlement {
    let closing: Closing
    /// The closings and constructions around the beginning of the closing.
    let context: ClosingContext
    let states: [InstanceState]
  }

  private let waits: [ClosingWait]
  private let settlements: [Settlement]
  /// Closings and constructions.
  private var reached: [AnyObject] = []

  init(waits: [ClosingWait], settlements: [Settlement]) {
    self.waits = waits
    self.settlements = settlements
  }

  /// Whether a closing waits, directly or not, for a caller that is a part of `context`.
  mutating func leads(from start: Closing, to context: ClosingContext) -> Bool {
    reach(start)
    var next = 0
    while next < reached.count {
      let object = reached[next]
      next += 1
      if context.contains(object) { return true }
      for wait in waits where wait.context.contains(object) { reach(wait.target) }
      for settlement in settlements
      where settlement.closing === object || settlement.context.contains(object) {
        for state in settlement.states { reach(WaitForGraph.join(.state(state))) }
      }
      if let closing = object as? Closing {
        for wait in closing.resolves.values { reach(wait.target) }
      } else if let construction = object as? Construction {
        for awaited in construction.awaited { reach(awaited) }
      }
    }
    return false
  }

  private mutating func reach(_ object: AnyObject?) {
    guard let object, !reached.contains(where: { $0 === object }) else { return }
    reached.append(object)
  }
}
