// SPDX-License-Identifier: MIT

internal import CCorinth

/// Batched counts: see `corinth_references.h`.
// SAFETY, of both: the section or the reference keeps the object alive.
extension Section {
  /// Takes a reference to a registration that the section has found in its slot. Neither the call
  /// nor the end of the reference writes the count shared by all threads.
  @inline(__always)
  func takeReference(to found: Unmanaged<some AnyObject>) {
    unsafe corinth_reference_take(thread, found.toOpaque())
  }

  /// Gives up a reference of ``takeReference(to:)``, on any thread. Deinits may run in this call.
  @inline(__always)
  static func giveReference(to object: Unmanaged<some AnyObject>) {
    unsafe corinth_reference_give(corinth_thread_current(), object.toOpaque())
  }
}
