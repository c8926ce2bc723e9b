// SPDX-License-Identifier: MIT

internal import CCorinth

/// Destroys retired objects once no reader can be using them.
package enum Reclamation {
  /// Releases the object's +1 that its slot or state word held.
  ///
  /// The object must have been unlinked by a sequentially consistent exchange, and no lock of the core
  /// may be held: deinits run in this call.
  static func retire<Object: AnyObject>(_ object: Unmanaged<Object>) {
    // SAFETY: the +1 is passed on to the epoch, which calls back once, when no reader can hold the address.
    unsafe corinth_retire(object.toOpaque()) { pointer in
      guard let pointer = unsafe pointer else { return }
      unsafe Unmanaged<AnyObject>.fromOpaque(pointer).release()
    }
  }

  /// The same for a registration, of which threads may have references in stock.
  static func retire(registration: Unmanaged<some AnyObject>) {
    // SAFETY: as above.
    unsafe corinth_retire(registration.toOpaque(), corinth_reference_release_last)
  }

  /// Takes the references to a registration that threads have in stock. No section can see it in its slot any more, and no
  /// lock of the core is held.
  static func withdraw(_ registration: AnyObject) {
    unsafe corinth_reference_withdraw(Unmanaged.passUnretained(registration).toOpaque())
  }

  /// Destroys retired objects that have become free, up to a thousand of them. No lock of the core may
  /// be held.
  package static func reclaim() {
    corinth_reclaim()
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
