// SPDX-License-Identifier: MIT

internal import CCorinth

/// Destroys retired objects once no reader can be using them.
package enum Reclamation {
  /// Releases the object's +1 that its slot or state word held.
  ///
  /// The object must have been unlinked by a sequentially consistent exchange, and no lock of the core
  /// may be held: deinits run in this call.
  ///
  /// - Parameter isInStock: whether threads may have references to it in stock.
  static func retire<Object: AnyObject>(
    _ object: Unmanaged<Object>, _ urgency: Urgency = .lazy, isInStock: Bool = false
  ) {
    // SAFETY: the +1 is passed on to the epoch, which calls back once, when no reader can hold the address.
    if isInStock {
      unsafe corinth_retire(object.toOpaque(), corinth_reference_release_last, urgency.forC)
    } else {
      unsafe corinth_retire(object.toOpaque(), swift_release, urgency.forC)
    }
  }

  /// Whether what has been unlinked by now needs no retirement, unless it is in stock: no reader can be using it.
  static var isImmediate: Bool { corinth_retire_is_immediate() }

  /// Whether somebody waits for the deinit.
  struct Urgency {
    fileprivate let forC: corinth_urgency

    /// It comes in this call, unless a section is open. Costs a barrier for all threads, where there are several.
    static var awaited: Urgency { Urgency(forC: CORINTH_AWAITED) }
    /// It may share such a barrier with others, and come later.
    static var lazy: Urgency { Urgency(forC: CORINTH_LAZY) }
    /// It comes with that of the next object, which the caller retires at once.
    static var withNext: Urgency { Urgency(forC: CORINTH_WITH_NEXT) }
  }

  /// The most objects that wait for the next one: a call that retires destroys more.
  static var retiredTogether: Int { 512 }

  /// If the calling thread has retired something that was not free yet, destroys objects that have become free, up to a
  /// thousand of them, but for those that wait for others. No lock of the core may be held.
  static func reclaim() {
    if unsafe corinth_thread_has_pending(corinth_thread_current()) { corinth_reclaim() }
  }

  /// The same, and has those take part that wait.
  package static func reclaimAll() {
    corinth_reclaim_all()
  }

  /// Objects retired since the process began; of these the ones destroyed, and the ones that wait for a
  /// section to end. The others are being destroyed.
  package static var counts: (retired: UInt64, destroyed: UInt64, pending: UInt64) {
    let counts = corinth_reclamation_read()
    return (counts.retired, counts.destroyed, counts.pending)
  }

  /// Records of threads that have resolved something, in use or waiting for a thread.
  package static var threadRecords: Int { corinth_thread_records() }
}
