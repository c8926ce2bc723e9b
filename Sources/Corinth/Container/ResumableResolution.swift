// SPDX-License-Identifier: MIT

internal import Synchronization

/// The instances of a resolution of a dialect, which may be resumed when it has ended, by whoever has this.
///
/// They are held as long as it runs, and weakly from then on: a resolution that is resumed finds those that something else
/// holds.
///
/// ## Concurrency
/// Safe to use from any thread. Threads may run it at the same time.
// SAFETY: `runs` and `instances` are only touched by the thread that has made this, until it shares it, and with the mutex of
// the wait-for graph held from then on. Threads share the instances, as the dialect's manual says.
package final class ResumableResolution: @unchecked Sendable {
  private struct Kept {
    /// Held: another one at its address would get its instance.
    let place: AnyObject
    var strong: Any?
    weak var object: AnyObject?
    /// Whether there is nothing to hold but the object.
    var isObject = false
    var lock: ConstructionLock?

    var instance: Any? { strong ?? object }
  }

  private var runs = 0
  private var instances: [ObjectIdentifier: Kept] = [:]
  private let shared = Atomic<Bool>(false)

  /// One that does not run.
  package init() {}

  /// Whether others than the thread that has made it may run it: see ``share()``.
  ///
  /// Wait-free.
  package var isShared: Bool { shared.load(ordering: .relaxed) }

  /// Notes that the caller, whose thread has made this, gives it to others, who may run it at any time.
  ///
  /// Wait-free.
  package func share() { shared.store(true, ordering: .relaxed) }

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
    var released: [Any] = []
    locked {
      runs -= 1
      // One that nobody else may run is about to be deallocated.
      guard runs == 0, isShared else { return }
      for (key, kept) in instances where kept.isObject {
        if let strong = kept.strong { released.append(strong) }
        instances[key]?.strong = nil
      }
    }
  }

  /// The instance of a place; `nil` if there is none.
  ///
  /// Takes a lock for a moment.
  package func instance(of place: AnyObject) -> Any? {
    locked { instances[ObjectIdentifier(place)]?.instance }
  }

  /// Keeps an instance for a place, instead of another one. Deinits may run in this call.
  ///
  /// - Parameters:
  ///   - instance: the instance; `nil` for none.
  ///   - object: the same as an object, which is held as long as the resolution runs. An instance that is none is held as
  ///     long as this exists.
  ///   - place: what tells instances of the resolution apart. It is held.
  ///
  /// Takes a lock for a moment.
  package func set(_ instance: Any?, as object: AnyObject?, of place: AnyObject) {
    let former = locked {
      let former = instances[ObjectIdentifier(place)]
      let isHeld = object == nil || runs > 0
      instances[ObjectIdentifier(place)] = Kept(
        place: place, strong: isHeld ? instance : nil, object: object, isObject: object != nil,
        lock: former?.lock)
      return former
    }
    withExtendedLifetime(former) {}
  }

  /// The lock for those who build the instance of a place, made if there is none.
  ///
  /// Takes a lock for a moment.
  package func lock(of place: AnyObject, or make: () -> ConstructionLock) -> ConstructionLock {
    let made = make()
    return locked {
      let key = ObjectIdentifier(place)
      if let lock = instances[key]?.lock { return lock }
      instances[key, default: Kept(place: place)].lock = made
      return made
    }
  }

  /// Runs `body` alone. Until others may run this, its thread is the only one anyway.
  private func locked<Result>(_ body: () -> Result) -> Result {
    if !isShared { return body() }
    WaitsMutex.lock()
    defer { WaitsMutex.unlock() }
    return body()
  }
}
