// SPDX-License-Identifier: MIT

internal import Corinth
import Foundation

/// Destroys all that was replaced, and waits until it is destroyed: a thread of another test may be in a section still, or
/// destroy what it has begun with; the core's own may be among them.
///
/// Ends the process after ``hangLimit``. Where a test holds something back itself, it calls ``reclaimWhatIsFree()``.
public func settleReclamation(file: StaticString = #filePath, line: UInt = #line) {
  var counts = Reclamation.counts
  blockUntil {
    reclaimWhatIsFree()
    counts = Reclamation.counts
    return counts.destroyed == counts.retired
  }
  if counts.destroyed < counts.retired {
    let left = "\(counts.retired - counts.destroyed) objects, \(counts.pending) in sections,"
    RunningTests.end(because: "\(left) are never destroyed", file, line)
  }
}

/// Destroys all that was replaced and that no section can see, and waits for other threads to have destroyed
/// what they have begun with: the core's own may be among them.
public func reclaimWhatIsFree() {
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
