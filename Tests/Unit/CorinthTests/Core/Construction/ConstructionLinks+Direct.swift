// SPDX-License-Identifier: MIT

@testable import Corinth

/// Changes of links that no other thread sees. What leaves the graph goes at once.
extension ConstructionLinks {
  func move(to next: ConstructionPhase) {
    var changes = WaitForGraphChanges()
    move(to: next, &changes)
  }

  static func eliminate(_ construction: Construction) -> [Construction] {
    var changes = WaitForGraphChanges()
    return eliminate(construction, &changes)
  }

  static func unlink(_ construction: Construction) -> [Construction] {
    var changes = WaitForGraphChanges()
    return unlink(construction, &changes)
  }
}
