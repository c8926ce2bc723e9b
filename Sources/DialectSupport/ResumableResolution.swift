// SPDX-License-Identifier: MIT

package import Corinth
internal import Synchronization

/// The instances of a compatibility module's resolution, which any holder may resume after the end.
///
/// The instances are held as long as the resolution runs, and weakly from then on: a resumed
/// resolution finds the instances that something else holds.
///
/// ## Concurrency
/// Safe to use from any thread. Threads may run the resolution at the same time.
// SAFETY: `runs` and the variables of the superclass are only touched by the creating thread, until
// the thread shares the resolution, and with the mutex of the wait-for graph held from then on.
// Threads share the instances, as the manual of the compatibility module says.
package final class ResumableResolution: PlacedInstances, @unchecked Sendable {
  private var runs = 0
  private let sharedNumber = Atomic<UInt>(0)

  /// Makes a resolution that does not run.
  package override init() {}

  /// Whether threads besides the creating thread may run the resolution: see ``share()``.
  ///
  /// Wait-free.
  package var isShared: Bool { number != 0 }

  /// A random number that identifies a shared resolution; 0 before.
  ///
  /// Wait-free.
  package var number: UInt { sharedNumber.load(ordering: .relaxed) }

  /// Notes that the caller, on the creating thread, gives the resolution to other threads, which
  /// may run the resolution at any time.
  ///
  /// Wait-free.
  package func share() {
    if isShared { return }
    _ = sharedNumber.compareExchange(
      expected: 0, desired: .random(in: 1 ... .max), ordering: .relaxed)
  }

  /// Holds the instances until ``endRun()``.
  ///
  /// Takes a lock for a moment.
  package func beginRun() {
    locked { runs += 1 }
  }

  /// Ends the run that ``beginRun()`` began. The end of the last run lets the instances go: deinits
  /// may run in this call.
  ///
  /// Takes a lock for a moment.
  package func endRun() {
    // The instances are released when the lock is free.
    var released: [AnyObject] = []
    locked {
      runs -= 1
      // A resolution that no other thread may run is about to be deallocated.
      guard runs == 0, isShared else { return }
      forEach { placed in if let object = placed.leave() { released.append(object) } }
    }
  }

  /// Returns the instance of a place; `nil` without an instance.
  ///
  /// Takes a lock for a moment.
  package func instance(of place: AnyObject) -> Any? {
    locked { find(place)?.instance }
  }

  /// Keeps an instance for a place, in place of a former instance. Deinits may run in this call.
  ///
  /// - Parameters:
  ///   - object: the instance, if an object, held as long as the resolution runs; a ``PlacedValue``
  ///     of any other instance, held as long as the resolution exists; `nil` for no instance.
  ///   - place: tells instances of the resolution apart. The resolution holds the place.
  ///
  /// Takes a lock for a moment.
  package func set(_ object: AnyObject?, of place: AnyObject) {
    let replaced = locked {
      findOrAdd(place).replace(by: object, isHeld: runs > 0 || object is PlacedValue)
    }
    withExtendedLifetime(replaced) {}
  }

  /// Returns the lock for callers that build the instance of a place, made if missing.
  ///
  /// Takes a lock for a moment.
  package func lock(of place: AnyObject, or make: () -> ConstructionLock) -> ConstructionLock {
    let made = make()
    return locked {
      let placed = findOrAdd(place)
      if let lock = placed.lock as? ConstructionLock { return lock }
      placed.lock = made
      return made
    }
  }

  /// Runs `body` exclusively. Until the resolution is shared, only the creating thread uses the
  /// resolution anyway.
  private func locked<Result>(_ body: () -> Result) -> Result {
    if !isShared { return body() }
    return WaitsMutex.withLock(body)
  }
}
