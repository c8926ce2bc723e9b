// SPDX-License-Identifier: MIT

internal import CCorinth

/// References that threads have in stock: `corinth_references.h`.
extension Section {
  /// Takes a reference to a registration that the section has found in its slot. It does not write the count that all threads
  /// share; nor does its end.
  @inline(__always)
  func takeReference(to found: Unmanaged<some AnyObject>) {
    unsafe corinth_reference_take(thread, found.toOpaque())
  }

  /// Gives up what ``takeReference(to:)`` has taken, on any thread. Deinits may run in this call.
  @inline(__always)
  static func giveReference(to object: Unmanaged<some AnyObject>) {
    unsafe corinth_reference_give(corinth_thread_current(), object.toOpaque())
  }
}
