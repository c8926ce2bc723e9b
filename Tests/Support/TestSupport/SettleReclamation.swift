// SPDX-License-Identifier: MIT

internal import Corinth
import Foundation

/// Destroys all replaced objects, and waits for the end of the destruction: a thread of a
/// concurrent test may still be in a section, or be destroying objects, among which may be objects
/// of the core.
///
/// Ends the process after ``hangLimit``. Where a test holds something back itself, it calls
/// ``reclaimWhatIsFree()``.
public func settleReclamation(file: StaticString = #filePath, line: UInt = #line) {
  blockUntil {
    reclaimWhatIsFree()
    return Reclamation.isSettled
  }
  let counts = Reclamation.counts
  if counts.destroyed < counts.retired {
    let left = "\(counts.retired - counts.destroyed) objects, \(counts.pending) in sections,"
    RunningTests.end(because: "\(left) are never destroyed", file, line)
  }
}

/// Destroys all replaced objects that no section can see, and waits for destructions begun by other
/// threads, among which may be objects of the core.
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
