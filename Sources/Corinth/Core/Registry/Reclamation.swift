// SPDX-License-Identifier: MIT

internal import CCorinth

/// Destroys retired objects once no reader can be using the objects.
package enum Reclamation {
  /// Releases the object's +1, formerly held by a slot or state word.
  ///
  /// The object must have been unlinked by a sequentially consistent exchange, and no lock of the
  /// core may be held: deinits run in this call.
  ///
  /// - Parameter isInStock: whether threads may have the object's references in stock.
  static func retire<Object: AnyObject>(
    _ object: Unmanaged<Object>, _ urgency: Urgency = .lazy, isInStock: Bool = false
  ) {
    // SAFETY: the +1 goes to the epoch, which calls back once, when no reader can hold the address.
    if isInStock {
      unsafe corinth_retire(object.toOpaque(), corinth_reference_release_last, urgency.forC)
    } else {
      unsafe corinth_retire(object.toOpaque(), swift_release, urgency.forC)
    }
  }

  /// Whether objects unlinked by now need no retirement, unless in stock: no reader is using one.
  static var isImmediate: Bool { corinth_retire_is_immediate() }

  /// Whether somebody waits for the deinit.
  struct Urgency {
    fileprivate let forC: corinth_urgency

    /// The deinit runs in this call unless a section is open. Costs a barrier beside other threads.
    static var awaited: Urgency { Urgency(forC: CORINTH_AWAITED) }
    /// The deinit may share a barrier with further objects, and come later.
    static var lazy: Urgency { Urgency(forC: CORINTH_LAZY) }
    /// The deinit comes with the next object's, which the caller retires at once.
    static var withNext: Urgency { Urgency(forC: CORINTH_WITH_NEXT) }
  }

  /// The most objects that wait for the next one: a retiring call destroys more.
  static var retiredTogether: Int { 512 }

  /// If the calling thread has retired an object that was not free yet, destroys up to a thousand
  /// free objects, except objects that wait for a barrier. No lock of the core may be held.
  static func reclaim() {
    if unsafe corinth_thread_has_pending(corinth_thread_current()) { corinth_reclaim() }
  }

  /// As ``reclaim()``, including objects that wait to share a barrier.
  package static func reclaimAll() {
    corinth_reclaim_all()
  }

  /// Objects retired since the process began; how many are destroyed, and how many wait for a
  /// section to end. The remaining objects are being destroyed.
  package static var counts: (retired: UInt64, destroyed: UInt64, pending: UInt64) {
    let counts = corinth_reclamation_read()
    return (counts.retired, counts.destroyed, counts.pending)
  }

  /// Whether all retired objects are destroyed.
  package static var isSettled: Bool {
    let counts = counts
    return counts.destroyed == counts.retired
  }

  /// Records of threads that have resolved something, in use or waiting for a thread.
  package static var threadRecords: Int { corinth_thread_records() }
}
