// SPDX-License-Identifier: MIT

internal import Synchronization

/// The instances of a resolution of a dialect, which may be resumed when it has ended, by whoever has this.
///
/// They are held as long as it runs, and weakly from then on: a resolution that is resumed finds those that something else
/// holds.
///
/// ## Concurrency
/// Safe to use from any thread. Threads may run it at the same time.
// SAFETY: `runs` and the variables of the superclass are only touched by the thread that has made this, until it shares it, and
// with the mutex of the wait-for graph held from then on. Threads share the instances, as the dialect's manual says.
package final class ResumableResolution: PlacedInstances, @unchecked Sendable {
  private var runs = 0
  private let sharedNumber = Atomic<UInt>(0)

  /// One that does not run.
  package override init() {}

  /// Whether others than the thread that has made it may run it: see ``share()``.
  ///
  /// Wait-free.
  package var isShared: Bool { number != 0 }

  /// A random number that identifies it, once it is shared; 0 before.
  ///
  /// Wait-free.
  package var number: UInt { sharedNumber.load(ordering: .relaxed) }

  /// Notes that the caller, whose thread has made this, gives it to others, who may run it at any time.
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

  /// Ends what ``beginRun()`` began. The last one lets the instances go: deinits may run in this call.
  ///
  /// Takes a lock for a moment.
  package func endRun() {
    // Released when the lock is free.
    var released: [AnyObject] = []
    locked {
      runs -= 1
      // One that nobody else may run is about to be deallocated.
      guard runs == 0, isShared else { return }
      forEach { placed in if let object = placed.leave() { released.append(object) } }
    }
  }

  /// The instance of a place; `nil` if there is none.
  ///
  /// Takes a lock for a moment.
  package func instance(of place: AnyObject) -> Any? {
    locked { find(place)?.instance }
  }

  /// Keeps an instance for a place, instead of another one. Deinits may run in this call.
  ///
  /// - Parameters:
  ///   - object: the instance, if it is an object, which is held as long as the resolution runs; a ``PlacedValue`` of it, if
  ///     it is none, which is held as long as this exists; `nil` for no instance.
  ///   - place: what tells instances of the resolution apart. It is held.
  ///
  /// Takes a lock for a moment.
  package func set(_ object: AnyObject?, of place: AnyObject) {
    let replaced = locked {
      findOrAdd(place).replace(by: object, isHeld: runs > 0 || object is PlacedValue)
    }
    withExtendedLifetime(replaced) {}
  }

  /// The lock for those who build the instance of a place, made if there is none.
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

  /// Runs `body` alone. Until others may run this, its thread is the only one anyway.
  private func locked<Result>(_ body: () -> Result) -> Result {
    if !isShared { return body() }
    return WaitsMutex.withLock(body)
  }
}
