// SPDX-License-Identifier: MIT

internal import CCorinth

/// The containers that are being closed asynchronously, and who waits for that.
///
/// Kept here and not in the containers: most are never closed by more than one caller.
enum ClosingEvents {
  // SAFETY: only touched with the mutex of the wait-for graph held.
  nonisolated(unsafe) private static var waiters:
    [ObjectIdentifier: [CheckedContinuation<Void, Never>]] = [:]

  /// Announces a closing.
  ///
  /// - Returns: `false` when one is under way.
  static func begin(_ registry: SlotRegistry) -> Bool {
    corinth_waits_lock()
    defer { corinth_waits_unlock() }
    if unsafe waiters[ObjectIdentifier(registry)] != nil { return false }
    unsafe waiters[ObjectIdentifier(registry)] = []
    return true
  }

  /// Lets those go on who wait for the end of a closing.
  static func end(_ registry: SlotRegistry) {
    corinth_waits_lock()
    let resumed = unsafe waiters.removeValue(forKey: ObjectIdentifier(registry)) ?? []
    corinth_waits_unlock()
    for continuation in resumed { continuation.resume() }
  }

  /// Suspends until the closing that is under way, if any, has ended.
  nonisolated(nonsending) static func waitForEnd(of registry: SlotRegistry) async {
    await withCheckedContinuation { continuation in
      corinth_waits_lock()
      let isUnderWay =
        unsafe waiters[ObjectIdentifier(registry)]?.append(continuation) != nil
      corinth_waits_unlock()
      if !isUnderWay { continuation.resume() }
    }
  }
}
