// SPDX-License-Identifier: MIT

internal import Corinth
import Foundation

/// Destroys all that was replaced and that no section can see, and waits for other threads to have destroyed
/// what they have begun with: the core's own may be among them.
public func settleReclamation() {
  while true {
    let before = Reclamation.counts
    Reclamation.reclaimAll()
    let after = Reclamation.counts
    let isInFlight = after.retired > after.destroyed + after.pending
    let isStuck = after.pending == 0 || after.destroyed == before.destroyed
    if !isInFlight, isStuck { return }
    sched_yield()
  }
}
