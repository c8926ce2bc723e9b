// SPDX-License-Identifier: MIT

/// A search of the wait-for graph that begins at a closing. Only made with the graph's mutex held.
struct ClosingSearch {
  /// A closing that waits for the constructions under way in some states.
  struct Settlement {
    let closing: Closing
    /// The closings and constructions that the closing was begun in.
    let context: ClosingContext
    let states: [InstanceState]
  }

  private let waits: [ClosingWait]
  private let settlements: [Settlement]
  private var closings: [Closing] = []
  private var constructions: [Construction] = []

  init(waits: [ClosingWait], settlements: [Settlement]) {
    self.waits = waits
    self.settlements = settlements
  }

  /// Whether a closing waits, directly or not, for a caller that is a part of `context`.
  mutating func leads(from start: Closing, to context: ClosingContext) -> Bool {
    reach(start)
    var nextClosing = 0
    var nextConstruction = 0
    while true {
      if nextClosing < closings.count {
        let closing = closings[nextClosing]
        nextClosing += 1
        if context.contains(closing) { return true }
        follow(closing)
      } else if nextConstruction < constructions.count {
        let construction = constructions[nextConstruction]
        nextConstruction += 1
        if context.contains(construction) { return true }
        follow(construction)
      } else {
        return false
      }
    }
  }

  private mutating func follow(_ closing: Closing) {
    for wait in closing.resolves.values { if let target = wait.target { reach(target) } }
    for wait in waits where wait.context.contains(closing) { reach(wait.target) }
    for settlement in settlements
    where settlement.closing === closing || settlement.context.contains(closing) {
      reach(settlement)
    }
  }

  private mutating func follow(_ construction: Construction) {
    for awaited in construction.awaited { reach(awaited) }
    for wait in waits where wait.context.contains(construction) { reach(wait.target) }
    for settlement in settlements where settlement.context.contains(construction) {
      reach(settlement)
    }
  }

  private mutating func reach(_ closing: Closing?) {
    guard let closing, !closings.contains(where: { $0 === closing }) else { return }
    closings.append(closing)
  }

  private mutating func reach(_ construction: Construction) {
    if constructions.contains(where: { $0 === construction }) { return }
    constructions.append(construction)
  }

  private mutating func reach(_ settlement: Settlement) {
    for state in settlement.states {
      if let construction = WaitForGraph.join(state) { reach(construction) }
    }
  }
}
